import Core
import Models
import Utilities
import WhorlKit

@main
struct Client {
    static func main() async {
        let finger = Models.Finger(account: Account(name: "acme"))
        print(keyName(for: finger.account), WhorlKit.Whorl.self, VaultError.noSuchKey.sentence)
    }

    static func signIn(with whorl: any WhorlSession) async throws -> Int {
        let token = try await whorl.vault.get("client/acme", reason: "Sign in to Acme")
        return token.withBytes { $0.byteCount }
    }
}
