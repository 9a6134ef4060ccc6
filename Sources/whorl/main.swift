import WhorlCommand

await WhorlProgram.main(host: LiveHost())
