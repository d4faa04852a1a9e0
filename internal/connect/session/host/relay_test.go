package host

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/packets"
)

// field is a relay with rigs, in virtual time.
type field struct {
	t       testing.TB
	now     int64
	relay   *relay
	sealers []*packets.Sealer
	openers []*packets.Opener
}

func newField(t testing.TB, rigs int) *field {
	f := &field{t: t, now: 100 * second}
	f.relay = newRelay(ring.Length, func() int64 { return f.now })
	for slot := range rigs {
		key := bytes.Repeat([]byte{byte(slot + 1)}, 32)
		if err := f.relay.setKey(slot, key, 7); err != nil {
			t.Fatal(err)
		}
		s, _ := packets.NewSealer(key, 7, slot, false)
		o, _ := packets.NewOpener(key, 7, slot, true)
		f.sealers, f.openers = append(f.sealers, s), append(f.openers, o)
	}
	return f
}

func addressOf(slot int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(slot + 1)}), 5000)
}

// state sends a rig's state at the present time.
func (f *field) state(slot int, distance float64) []byte {
	s := stateOf(slot, f.now, distance)
	packet := f.sealers[slot].Seal(nil, packets.AppendState(nil, &s))
	f.relay.receive(packet, addressOf(slot), f.now)
	return packet
}

// cars returns the cars that each rig gets in the bundles of now, and the number of datagrams.
func (f *field) cars() (got [session.MaxMembers]map[int]session.State, datagrams int) {
	f.relay.bundles(func(to netip.AddrPort, packet []byte) {
		datagrams++
		slot := int(to.Addr().As4()[3]) - 1
		plain, err := f.openers[slot].Open(nil, packet)
		if err != nil || len(packet) > packets.MaxSize {
			f.t.Fatalf("a bundle of %d bytes for rig %d: %v", len(packet), slot, err)
		}
		m, err := packets.Parse(plain)
		if err != nil || m.Kind != packets.Cars {
			f.t.Fatal(m.Kind, err)
		}
		for _, c := range m.Cars {
			if got[slot] == nil {
				got[slot] = map[int]session.State{}
			}
			got[slot][c.Slot] = c
		}
	})
	return got, datagrams
}

// Each rig gets all others in as few datagrams as they fit into.
func TestBundles(t *testing.T) {
	for _, tt := range []struct{ rigs, datagrams int }{{1, 1}, {4, 4}, {16, 16}, {64, 64 * 4}} {
		f := newField(t, tt.rigs)
		for slot := range tt.rigs {
			f.state(slot, float64(10*slot))
		}
		got, n := f.cars()
		most := (tt.rigs-1+packets.MaxCars-1)/packets.MaxCars*tt.rigs + tt.rigs/64
		if n > max(most, tt.rigs) {
			t.Errorf("%d rigs: %d datagrams", tt.rigs, n)
		}
		for slot := range tt.rigs {
			if _, own := got[slot][slot]; own || len(got[slot]) != tt.rigs-1 {
				t.Errorf("rig %d of %d gets %d cars", slot, tt.rigs, len(got[slot]))
			}
		}
	}
}

// A hostile rig sends rubbish, replays, states of others, floods and leaps: the others get each other complete, and
// nothing of what was forged.
func TestAHostileRigCostsOthersNothing(t *testing.T) {
	const rigs, hostile, ticks = 8, 3, 300
	f := newField(t, rigs)
	r := rand.New(rand.NewPCG(1, 2))
	var old [][]byte
	complete := 0
	for tick := range ticks {
		f.now += second / 60
		for slot := range rigs {
			if slot != hostile {
				old = append(old, f.state(slot, float64(tick)+float64(20*slot)))
			}
		}
		f.attack(r, hostile, old)
		got, _ := f.cars()
		for slot := range rigs {
			for other := range rigs {
				if slot == hostile || other == hostile || other == slot {
					continue
				}
				if c, ok := got[slot][other]; ok && c.At/1000 == f.now/1000 && c.Distance > float64(tick)+float64(20*other)-0.1 && c.Distance < float64(tick)+float64(20*other)+0.1 {
					complete++
				}
			}
		}
	}
	if want := ticks * (rigs - 1) * (rigs - 2); complete != want {
		t.Errorf("%d of %d states arrive as they were sent", complete, want)
	}
	for _, cause := range []string{string(othersSlot), string(tooMany), string(notReadable), "packet: not made with this rig's key", "packet: seen already, or too old to tell"} {
		if f.relay.refused[cause] == 0 {
			t.Errorf("nothing is refused because of %q: %v", cause, f.relay.refused)
		}
	}
	if words := f.relay.refusals(); !strings.Contains(words, ": "+string(tooMany)) {
		t.Error(words)
	}
}

// attack sends what a hostile rig can think of within one tick.
func (f *field) attack(r *rand.Rand, slot int, old [][]byte) {
	from := addressOf(slot)
	send := func(packet []byte) { f.relay.receive(packet, from, f.now) }
	for range 20 {
		rubbish := make([]byte, r.IntN(1400))
		for i := range rubbish {
			rubbish[i] = byte(r.Uint32())
		}
		send(rubbish)
		send(old[r.IntN(len(old))])
		forged := bytes.Clone(old[len(old)-1-r.IntN(7)])
		forged[12] ^= 1 // its counter
		send(forged)
	}
	other := stateOf((slot+1)%8, f.now, 1e4)
	send(f.sealers[slot].Seal(nil, packets.AppendState(nil, &other)))
	send(f.sealers[slot].Seal(nil, []byte("no payload")))
	send(f.sealers[slot].Seal(nil, packets.AppendPong(nil, 1, 2, 3)))
	for range 10 {
		send(f.sealers[slot].Seal(nil, packets.AppendPing(nil, 1)))
	}
}

func TestImpossibleStatesAreRefused(t *testing.T) {
	f := newField(t, 2)
	distance := func() float64 { return f.relay.cars[0].state.Distance }
	f.state(0, 10)
	for _, tt := range []struct {
		name  string
		after float64 // [s]
		at    float64 // distance [m]
		time  int64   // of the state, after that of arrival [ns]
		want  refusal
	}{
		{"a moment later", 0.016, 11, 0, ""},
		{"the same time", 0, 12, 0, wrongTime},
		{"the future", 0.016, 12, second, wrongTime},
		{"the past", 0.016, 12, -3 * second, wrongTime},
		{"200 m in 16 ms", 0.016, 211, 0, leap},
		{"back where it was", 0.016, 12, 0, ""},
		{"after ten seconds of silence", 10, 1000, 0, ""},
	} {
		f.now += int64(tt.after * second)
		before, count := distance(), f.relay.refused[string(tt.want)]
		s := stateOf(0, f.now+tt.time, tt.at)
		f.relay.receive(f.sealers[0].Seal(nil, packets.AppendState(nil, &s)), addressOf(0), f.now)
		if taken := distance() != before; taken != (tt.want == "") || tt.want != "" && f.relay.refused[string(tt.want)] != count+1 {
			t.Errorf("%s: at %g m, refused %v", tt.name, distance(), f.relay.refused)
		}
	}
}

// A car that was put elsewhere is shown there after half a second.
func TestACarThatWasPutElsewhere(t *testing.T) {
	f := newField(t, 1)
	f.state(0, 10)
	for i := range 40 {
		f.now += second / 60
		f.state(0, 500+float64(i)*0.1)
		if moved := f.relay.cars[0].state.Distance > 400; moved != (i >= 29) {
			t.Fatalf("after %d states: %v", i+1, moved)
		}
	}
	f.now += second / 60
	f.state(0, 10) // a single leap
	f.now += second / 60
	f.state(0, 504)
	if f.relay.refused[string(leap)] != 30 || f.relay.cars[0].state.Distance != 504 {
		t.Errorf("refused %v", f.relay.refused)
	}
}

func TestSilentCarsAreNotSentAndSilentRigsGetNothing(t *testing.T) {
	f := newField(t, 2)
	f.state(0, 10)
	f.state(1, 20)
	f.now += 2 * second
	f.state(0, 11)
	if got, n := f.cars(); n != 2 || len(got[0]) != 0 || len(got[1]) != 1 {
		t.Errorf("%d datagrams, %v", n, got[:2])
	}
	f.now += 4 * second
	f.state(0, 12)
	if _, n := f.cars(); n != 1 {
		t.Errorf("%d datagrams", n)
	}
	f.relay.drop(0)
	f.state(0, 13)
	if _, n := f.cars(); n != 0 {
		t.Errorf("%d datagrams without a key", n)
	}
}

func TestATrackerFollowsLaps(t *testing.T) {
	const length = 1000
	var tr tracker
	at := int64(0)
	drive := func(from, to float64) { // at 100 m/s
		for d := from; d < to; d += 10 {
			at += second / 10
			tr.see(wrap(d, length), at, length, 50*second)
		}
	}
	at = 40 * second
	for at < 50*second { // it waits 8 m before the line
		at += second / 10
		tr.see(992, at, length, 50*second)
	}
	drive(-8, 2500)
	if tr.driven < 2490 || tr.driven > 2510 {
		t.Errorf("%g m", tr.driven)
	}
	if when, ok := tr.when(1992); !ok || when < 70*second-second/5 || when > 70*second+second/5 {
		t.Errorf("was at 1992 m at %g s, %v", float64(when)/second, ok)
	}
	if _, ok := tr.when(3000); ok {
		t.Error("knows when it will be somewhere")
	}
	drive(3700, 4005) // 1.2 km are missing
	tr.setLaps(4, true, length)
	if tr.driven < 3990 || tr.driven > 4010 {
		t.Errorf("%g m after the end of lap 4", tr.driven)
	}
	var late tracker // heard for the first time in lap 3
	late.setLaps(2, false, length)
	late.see(900, 200*second, length, 50*second)
	if late.driven != 2900 {
		t.Errorf("%g m", late.driven)
	}
}

func wrap(d, length float64) float64 {
	for ; d < 0; d += length {
	}
	for ; d >= length; d -= length {
	}
	return d
}

// BenchmarkRelay is a sixtieth of a second of a full session.
func BenchmarkRelay(b *testing.B) {
	for _, rigs := range []int{16, 64} {
		b.Run(fmt.Sprint(rigs), func(b *testing.B) {
			f := newField(b, rigs)
			bytes := 0
			for b.Loop() {
				f.now += second / 60
				for slot := range rigs {
					bytes += len(f.state(slot, 10))
				}
				f.relay.bundles(func(_ netip.AddrPort, packet []byte) { bytes += len(packet) })
			}
			b.ReportMetric(float64(bytes)/float64(b.N)/float64(rigs)*60*8/1e6, "Mbit/s/rig")
		})
	}
}

func FuzzPacket(f *testing.F) {
	s := stateOf(0, 100*second, 10)
	f.Add(packets.AppendState(nil, &s), true)
	f.Add(packets.AppendPing(nil, 1), true)
	f.Add([]byte{1, 0, 7, 0, 0, 0, 1}, false)
	f.Fuzz(func(t *testing.T, data []byte, sealed bool) {
		w := newField(t, 2)
		if len(data) > 1100 {
			return
		}
		if sealed {
			data = w.sealers[0].Seal(nil, data)
		}
		w.relay.receive(data, addressOf(0), w.now)
		w.state(1, 20)
		if got, _ := w.cars(); !sealed && len(got[1]) > 0 {
			t.Errorf("a packet without a key is passed on: %x", data)
		}
	})
}
