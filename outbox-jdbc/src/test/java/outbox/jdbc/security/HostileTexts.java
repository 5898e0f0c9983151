package outbox.jdbc.security;

import java.util.List;

/** What an attacker, or bad luck, writes into every text that can be set. */
final class HostileTexts {

  /** No two of them are the same text, though some look so, or are to some collations. */
  private static final List<String> ALL =
      List.of(
          // what ends a literal, begins a comment or adds a statement
          "'",
          "''",
          "\"",
          "`",
          "\\",
          "\\'",
          "'; DROP TABLE canary; --",
          "\\'; DROP TABLE canary; #",
          "\"; DROP TABLE canary; --",
          "`; DROP TABLE canary; --",
          "1); DELETE FROM canary; --",
          "' OR '1'='1",
          "' OR 1=1 /*",
          "' UNION SELECT 1 --",
          "*/ OR 1=1 /*!",
          "--",
          "#",
          "/*",
          ";",
          "$$; DROP TABLE canary; $$",
          "E'\\x27'",
          "U&'\\0027'",
          // what drivers, this library, and formats take for a place to fill
          "?",
          "??",
          "$1",
          ":id",
          "{fn NOW()}",
          "{d '2030-01-01'}",
          "{where}",
          "{table}",
          "{conditions}{order}{first}",
          "${jndi:ldap://localhost/x}",
          "%s%n{0}",
          // what LIKE and arrays take for their own
          "%",
          "_",
          "!",
          "!%",
          "a%b_c!d",
          "{1,2}",
          "{\"a\",NULL}",
          "NULL",
          "null",
          // quotes of other scripts, and bytes that swallow the quote behind them
          "\u2018; DROP TABLE canary; --",
          "\u02BC; DROP TABLE canary; --",
          "\uFF07; DROP TABLE canary; --",
          "\u00BF'; DROP TABLE canary; --",
          "\u8A31'; DROP TABLE canary; --",
          // what looks the same, or is the same to a collation
          "admin",
          "ADMIN",
          "Admin",
          "adm\u0131n",
          "\u0430dmin",
          "\uFF41dmin",
          "a\u200Bdmin",
          "admin\u00A0",
          " admin",
          "admin\t",
          "caf\u00E9",
          "cafe\u0301",
          "stra\u00DFe",
          "strasse",
          "\uFB01n",
          "fin",
          // lines, escapes and directions
          "a\nb",
          "a\r\nERROR forged",
          "\u001B[2J\u001B]0;x\u0007",
          "\u202Egnp.exe",
          "\u2028\u2029",
          "\u0001\u007F\u0085",
          "\uFFFD\uFEFF\uFFFF",
          "\uD83D\uDE80'\uD83D\uDE80");

  private HostileTexts() {}

  static List<String> all() {
    return ALL;
  }
}
