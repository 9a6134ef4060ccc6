/// JSON for people to look at.
enum JSONText {
    /// One object over several lines, one for each of its own members.
    static func spread(_ object: Substring) -> String {
        var result = ""
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for character in object {
            if isQuoted {
                result.append(character)
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isQuoted = false
                }
                continue
            }
            switch character {
            case "\"":
                isQuoted = true
                result.append(character)
            case "{", "[":
                depth += 1
                result.append(character)
                if depth == 1 { result += "\n  " }
            case "}", "]":
                depth -= 1
                if depth == 0 { result += "\n" }
                result.append(character)
            case ",":
                result += depth == 1 ? ",\n  " : ", "
            case ":": result += ": "
            default: result.append(character)
            }
        }
        return result
    }
}
