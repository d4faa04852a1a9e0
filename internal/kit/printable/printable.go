// Package printable makes untrusted text, such as names from files and devices, safe for a terminal and a
// log. The input is a text; the output is a text that cannot move the cursor, forge a line or fill the
// screen. It never drops a character without a trace: it escapes it, or says how much is left out. The functions
// are pure.
package printable

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Longest texts that are shown in full [characters].
const (
	maxLine    = 1200
	maxName    = 120
	maxExcerpt = 80
)

// Line returns a message as one line: line breaks and other control characters become Go escapes such as
// \n. A part in the middle of a very long message is left out, so that its start (what is wrong) and its
// end (what to do) remain.
func Line(s string) string { return limitAndEscape(s, maxLine) }

// Name is Line with a limit of maxName characters, for a name or value within a message.
func Name(s string) string { return limitAndEscape(s, maxName) }

// Excerpt returns the start of a text from a file, for a message that quotes it: up to 80 characters, with spaces
// instead of what is not printable.
func Excerpt(s string) string {
	clean := []rune{}
	for _, r := range s {
		if len(clean) == maxExcerpt {
			return string(clean) + "…"
		}
		if notPrintable(r) {
			r = ' '
		}
		clean = append(clean, r)
	}
	return string(clean)
}

// Sprintf is fmt.Sprintf with Line applied to every argument that is a string, an error or a Stringer.
// format itself is not changed.
func Sprintf(format string, args ...any) string {
	clean := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			clean[i] = Line(a)
		case error:
			clean[i] = Line(a.Error())
		case fmt.Stringer:
			clean[i] = Line(a.String())
		default:
			clean[i] = a
		}
	}
	return fmt.Sprintf(format, clean...)
}

// FirstLines returns the first ten lines of a longer list, and a line that says how many are not shown. The notes
// about a file must not fill the screen.
func FirstLines(list []string) []string {
	const limit = 10
	if len(list) <= limit+1 {
		return list
	}
	return append(append([]string{}, list[:limit]...), fmt.Sprintf("%d more lines of this kind are not shown", len(list)-limit))
}

// Text escapes the control characters of output that may have many lines. Line breaks and tabs remain, and
// nothing is left out. The escapes are those of JSON, so that JSON text keeps its meaning.
func Text(s string) string {
	if strings.IndexFunc(s, controlsTerminal) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0]) // JSON has no such escape, but text that is not UTF-8 is not JSON anyway
		case r > 0xffff && controlsTerminal(r):
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		case controlsTerminal(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// controlsTerminal reports whether r is a control character, or one that hides text or reverses its
// direction. Line breaks and tabs are allowed.
func controlsTerminal(r rune) bool {
	if r < utf8.RuneSelf { // ASCII: the usual case, without a search in tables
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

func limitAndEscape(s string, limit int) string { return escape(shorten(s, limit)) }

// shorten returns s, or if it is longer than limit characters its start and its end, in the ratio 2 to 1. A
// byte that is not UTF-8 counts as a character.
func shorten(s string, limit int) string {
	if len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s
	}
	head, tail := 0, len(s)
	for range limit * 2 / 3 {
		_, n := utf8.DecodeRuneInString(s[head:])
		head += n
	}
	for range limit / 3 {
		_, n := utf8.DecodeLastRuneInString(s[:tail])
		tail -= n
	}
	return s[:head] + " …[" + strconv.Itoa(tail-head) + " bytes]… " + s[tail:]
}

// escape replaces the characters of s that are not printable by Go's escapes, such as \x1b.
func escape(s string) string {
	if strings.IndexFunc(s, notPrintable) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || notPrintable(r) {
			quoted := strconv.Quote(s[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// notPrintable reports whether a terminal would act on r or show nothing for it.
func notPrintable(r rune) bool { return !unicode.IsPrint(r) }
