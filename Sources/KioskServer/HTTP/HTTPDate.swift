import Glibc

/// Returns a time in the format of HTTP headers, by default the present time.
///
/// Source: RFC 9110, 5.6.7.
func httpDate(at seconds: time_t = time(nil)) -> String {
  var seconds = seconds
  var date = tm()
  gmtime_r(&seconds, &date)
  // The names of strftime(3) depend on the locale, so they are not used.
  let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
  let day = days[Int(date.tm_wday) % 7]
  let month = months[Int(date.tm_mon) % 12]
  return "\(day), \(two(date.tm_mday)) \(month) \(Int(date.tm_year) + 1900) "
    + "\(two(date.tm_hour)):\(two(date.tm_min)):\(two(date.tm_sec)) GMT"
}
