// The least that a Swift program with the standard library inside it can be.
print("hello")
