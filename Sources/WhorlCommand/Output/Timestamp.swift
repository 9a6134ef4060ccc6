/// A time of the wall clock, for people.
enum Timestamp {
    /// Seconds since 1970 as `2026-11-30 21:18 UTC`.
    static func words(_ seconds: Int64) -> String {
        let (day, second) = floorDivide(seconds, 86_400)
        let (year, month, dayOfMonth) = civil(day)
        let (hour, minute) = (second / 3600, second % 3600 / 60)
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2)) "
            + "\(padded(hour, 2)):\(padded(minute, 2)) UTC"
    }

    // The proleptic Gregorian date of a day counted from 1970-01-01: Howard Hinnant's
    // `civil_from_days`, which counts years from 1 March so that a leap day is the last.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(day + 719_468, 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func floorDivide(_ value: Int64, _ by: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: by)
        return remainder < 0 ? (quotient - 1, remainder + by) : (quotient, remainder)
    }

    private static func padded(_ value: Int64, _ count: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
