package wire

import "testing"

// A packet with one wrong byte at its end is none, and costs no more than itself.
func TestPacketsNeedBothBytesOfTheirEnd(t *testing.T) {
	const good = "\xf9\xf9\x00\x00\x00\x35\x0a\x0d"
	for _, bad := range []string{
		"\xf9\xf9\x00\x00\x00\x35\x0a\x0a", "\xf9\xf9\x00\x00\x00\x35\x0d\x0d", "\xf9\xf9\x00\x00\x00\x35\x0d\x0a", "\xf9\xf8\x00\x00\x00\x35\x0a\x0d",
	} {
		p := Packets{Length: func(head byte) int {
			if head == 0xf9 {
				return 8
			}
			return 0
		}}
		var got []string
		for _, b := range []byte(bad + good) {
			if packet, ok := p.Feed(b); ok {
				got = append(got, string(packet))
			}
		}
		if len(got) != 1 || got[0] != good || p.Noise != uint64(len(bad)) {
			t.Errorf("% x: found % x, %d bytes of noise", bad, got, p.Noise)
		}
	}
}
