package frame

import (
	"encoding/binary"
	"fmt"
	"unicode"
	"unicode/utf8"
)

const (
	textBytes   = 8 * len(Text{}) // longest Text
	noticeBytes = textBytes * len(Session{}.Notice)
)

// TextOf returns s as a Text: as many whole characters as have room.
func TextOf(s string) (t Text) {
	var room [textBytes]byte
	t.set(appendPrintable(room[:0], []byte(s)))
	return t
}

// AppendTo appends the text to b. It allocates nothing if b has room.
func (t *Text) AppendTo(b []byte) []byte {
	for _, word := range t {
		for range 8 {
			if word&0xff == 0 {
				return b
			}
			b, word = append(b, byte(word)), word>>8
		}
	}
	return b
}

// String returns the text.
func (t *Text) String() string { return string(t.AppendTo(nil)) }

// set stores as many bytes of b as have room.
func (t *Text) set(b []byte) {
	var room [textBytes]byte
	copy(room[:], b)
	for i := range t {
		t[i] = binary.LittleEndian.Uint64(room[8*i:])
	}
}

// clean makes every character of the text printable.
func (t *Text) clean() {
	var raw, room [textBytes]byte
	t.set(appendPrintable(room[:0], t.AppendTo(raw[:0])))
}

// SetNotice stores as many whole characters of a notice as have room.
func (s *Session) SetNotice(notice string) {
	var room [noticeBytes]byte
	s.setNotice(appendPrintable(room[:0], []byte(notice)))
}

// AppendNotice appends the notice to b. It allocates nothing if b has room.
func (s *Session) AppendNotice(b []byte) []byte {
	for i := range s.Notice {
		before := len(b)
		if b = s.Notice[i].AppendTo(b); len(b) < before+textBytes {
			break
		}
	}
	return b
}

func (s *Session) setNotice(b []byte) {
	for i := range s.Notice {
		n := min(len(b), textBytes)
		s.Notice[i].set(b[:n])
		b = b[n:]
	}
}

// appendPrintable appends as many whole characters of s as b has room for. One that cannot be printed becomes a question mark.
func appendPrintable(b, s []byte) []byte {
	for len(s) > 0 {
		r, size := utf8.DecodeRune(s)
		s = s[size:]
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			r = '?'
		}
		if len(b)+utf8.RuneLen(r) > cap(b) {
			break
		}
		b = utf8.AppendRune(b, r)
	}
	return b
}

// Summary returns how the rig takes part in the session, in a few words, or "" without one (nil).
func (o *Others) Summary() string {
	if o == nil {
		return ""
	}
	s := &o.Session
	if s.Connected == 0 {
		return "session: not connected"
	}
	text := "session: connected"
	if s.Phase != NoSession && s.Phase < uint64(len(PhaseNames)) {
		text += ", " + PhaseNames[s.Phase]
	}
	if s.Place > 0 {
		text += fmt.Sprintf(", place %d of %d", s.Place, s.Of)
	}
	text += fmt.Sprintf(", %d other cars", o.Count)
	if o.Count > 0 {
		text += fmt.Sprintf(" %.0f ms late", s.Late*1e3)
	}
	return text
}
