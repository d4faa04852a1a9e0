// Package printable makes text of strangers, as names in files and of devices, fit for a
// terminal and a log: nothing in it can move the cursor, forge a line, or fill the screen (pure).
package printable

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Longest text that is shown [characters].
const (
	longestLine = 1200
	longestName = 120
)

// Line returns a message without line breaks and other control characters, which are written
// as Go escapes them. From the middle of one that is very long a part is left out, so that what
// is wrong, where and what to do stay.
func Line(s string) string { return fit(s, longestLine) }

// Name is Line for a name or value within a message.
func Name(s string) string { return fit(s, longestName) }

// Sprintf is fmt.Sprintf with each text among the arguments, and each error and Stringer, as Line
// has it: what is put in adds no lines and no more than a line's length.
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

// Few returns the first lines of a list, and how many more there are: a file must not fill the screen.
func Few(list []string) []string {
	const most = 10
	if len(list) <= most+1 {
		return list
	}
	return append(append([]string{}, list[:most]...), fmt.Sprintf("%d more lines of this kind are not shown", len(list)-most))
}

// Text is for output of many lines that is not made of arguments: line breaks and tabs stay, and
// nothing is left out. It escapes as JSON does, so that JSON stays what it is.
func Text(s string) string {
	if strings.IndexFunc(s, active) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0]) // no text, and so no JSON
		case r > 0xffff && active(r):
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		case active(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// active reports whether a terminal acts on r: control characters, and those that turn or hide text.
func active(r rune) bool {
	if r < utf8.RuneSelf { // most are
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

func fit(s string, most int) string { return escape(shorten(s, most)) }

// shorten keeps the first two thirds and the end of s. Each byte that is not UTF-8 counts as
// a character.
func shorten(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	head, tail := 0, len(s)
	for range most * 2 / 3 {
		_, n := utf8.DecodeRuneInString(s[head:])
		head += n
	}
	for range most / 3 {
		_, n := utf8.DecodeLastRuneInString(s[:tail])
		tail -= n
	}
	return s[:head] + " …[" + strconv.Itoa(tail-head) + " bytes]… " + s[tail:]
}

// escape writes what is not printed as Go escapes it in a text.
func escape(s string) string {
	if strings.IndexFunc(s, hidden) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || hidden(r) {
			quoted := strconv.Quote(s[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// hidden reports whether a terminal shows nothing for r, or acts on it.
func hidden(r rune) bool { return !unicode.IsPrint(r) }
