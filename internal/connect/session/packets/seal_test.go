package packets

import (
	"bytes"
	"testing"
)

func pair(t testing.TB, key byte, epoch uint32, slot int, host bool) (*Sealer, *Opener) {
	k := bytes.Repeat([]byte{key}, 32)
	s, err := NewSealer(k, epoch, slot, host)
	if err != nil {
		t.Fatal(err)
	}
	o, err := NewOpener(k, epoch, slot, host)
	if err != nil {
		t.Fatal(err)
	}
	return s, o
}

func TestAPacketIsOpenedOnce(t *testing.T) {
	s, o := pair(t, 1, 7, 3, false)
	packet := s.Seal(nil, []byte("state"))
	if bytes.Contains(packet, []byte("state")) {
		t.Error("not encrypted")
	}
	if slot, epoch, err := Peek(packet); err != nil || slot != 3 || epoch != 7 {
		t.Error(slot, epoch, err)
	}
	if got, err := o.Open(nil, packet); err != nil || string(got) != "state" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := o.Open(nil, packet); err != errRepeated {
		t.Errorf("again: %v", err)
	}
}

func TestOnlyTheRightKeyOpensAPacket(t *testing.T) {
	s, _ := pair(t, 1, 7, 3, false)
	packet := s.Seal(nil, []byte("state"))
	for name, change := range map[string]func() *Opener{
		"key":       func() *Opener { _, o := pair(t, 2, 7, 3, false); return o },
		"epoch":     func() *Opener { _, o := pair(t, 1, 8, 3, false); return o },
		"slot":      func() *Opener { _, o := pair(t, 1, 7, 4, false); return o },
		"direction": func() *Opener { _, o := pair(t, 1, 7, 3, true); return o },
	} {
		if _, err := change().Open(nil, packet); err == nil {
			t.Errorf("opened with another %s", name)
		}
	}
	for i := range packet {
		_, o := pair(t, 1, 7, 3, false)
		bad := bytes.Clone(packet)
		bad[i] ^= 1
		if _, err := o.Open(nil, bad); err == nil {
			t.Errorf("opened with byte %d changed", i)
		}
	}
}

func TestNoNonceIsUsedTwice(t *testing.T) {
	seen := map[[12]byte]bool{}
	for _, host := range []bool{false, true} {
		for _, epoch := range []uint32{1, 2} {
			s, _ := pair(t, 1, epoch, 0, host)
			for range 300 {
				n := nonce(s.Seal(nil, nil)[:headerSize])
				if seen[n] {
					t.Fatal("a nonce came again")
				}
				seen[n] = true
			}
		}
	}
}

func TestTheReplayWindow(t *testing.T) {
	s, o := pair(t, 1, 1, 0, true)
	var packets [][]byte
	for range 200 {
		packets = append(packets, s.Seal(nil, []byte{1}))
	}
	for _, step := range []struct {
		counter int // from 1
		want    error
	}{{1, nil}, {3, nil}, {2, nil}, {2, errRepeated}, {66, nil}, {3, errRepeated}, {2, errRepeated}, {4, nil}, {4, errRepeated}, {5, nil}, {200, nil}, {137, nil}, {136, errRepeated}, {200, errRepeated}} {
		if _, err := o.Open(nil, packets[step.counter-1]); err != step.want {
			t.Errorf("packet %d: %v, want %v", step.counter, err, step.want)
		}
	}
	if opened, sent := o.Counts(); opened != 8 || sent != 200 {
		t.Errorf("%d of %d", opened, sent)
	}
}

func TestAForgedCounterMovesNothing(t *testing.T) {
	s, o := pair(t, 1, 1, 0, true)
	forged := s.Seal(nil, []byte{1})
	forged[12] = 0xff
	if _, err := o.Open(nil, forged); err != errForged {
		t.Error(err)
	}
	if _, err := o.Open(nil, s.Seal(nil, []byte{1})); err != nil {
		t.Errorf("after it: %v", err)
	}
}

func TestABadKeyIsRefused(t *testing.T) {
	if _, err := NewSealer(make([]byte, 16), 1, 0, false); err == nil {
		t.Error("16 bytes taken")
	}
	if _, err := NewOpener(make([]byte, 32), 1, 64, false); err == nil {
		t.Error("slot 64 taken")
	}
}

func FuzzOpen(f *testing.F) {
	s, _ := pair(f, 1, 7, 3, false)
	f.Add(s.Seal(nil, []byte("state")))
	f.Add(make([]byte, headerSize+tagSize))
	f.Fuzz(func(t *testing.T, packet []byte) {
		_, o := pair(t, 9, 7, 3, false)
		if payload, err := o.Open(nil, packet); err == nil {
			t.Fatalf("opened %x", payload)
		}
	})
}
