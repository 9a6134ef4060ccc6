import WhorlKit

// What the example takes to be there.
struct API {
    func signIn(_ token: RawSpan) async throws {}
}

let api = API()

func askForPassword() {}
func reEnrolThenRegister() {}
