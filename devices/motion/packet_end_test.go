package motion

import "testing"

// A packet with one wrong byte at its end is none, and costs no more than itself.
func TestPacketsNeedBothBytesOfTheirEnd(t *testing.T) {
	const good = "\xf9\xf9\x00\x00\x00\x35\x0a\x0d"
	for _, bad := range []string{
		"\xf9\xf9\x00\x00\x00\x35\x0a\x0a", "\xf9\xf9\x00\x00\x00\x35\x0d\x0d", "\xf9\xf9\x00\x00\x00\x35\x0d\x0a", "\xf9\xf8\x00\x00\x00\x35\x0a\x0d",
	} {
		p := packets{length: m4sAnswerLen}
		var got []string
		for _, b := range []byte(bad + good) {
			if packet, ok := p.feed(b); ok {
				got = append(got, string(packet))
			}
		}
		if len(got) != 1 || got[0] != good || p.noise != uint64(len(bad)) {
			t.Errorf("% x: found % x, %d bytes of noise", bad, got, p.noise)
		}
	}
}
