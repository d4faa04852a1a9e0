package network

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

// Of 100000 packets, each share is within five standard deviations of what the path says.
func TestAPathDisturbsAsItSays(t *testing.T) {
	const n = 100_000
	p := Bad(1)
	lost, doubled, overtaken := 0, 0, 0
	tenths := [10]int{} // of the range of delays
	before := time.Duration(0)
	for i := range uint64(n) {
		copies := p.Copies(i)
		if len(copies) == 0 {
			lost++
			continue
		}
		if len(copies) == 2 {
			doubled++
		}
		for _, d := range copies {
			if d < 30*ms || d > 70*ms {
				t.Fatalf("packet %d takes %v, must be 30 to 70 ms", i, d)
			}
		}
		tenths[min(int((copies[0]-30*ms)/(4*ms)), 9)]++
		const interval = 16_667 * time.Microsecond
		if copies[0]+interval < before {
			overtaken++
		}
		before = copies[0]
	}
	// Standard deviation of a count: √(n·p·(1−p)).
	for _, c := range []struct {
		what              string
		got, want, within int
	}{
		{"lost", lost, 2000, 221},
		{"doubled", doubled, 980, 156},
		// P(d₀ − d₁ > 16.667 ms) for even delays over 40 ms is (1 − 16.667/40)²/2 = 0.170, and 98 % arrive.
		{"overtaken by the next one 1/60 s later", overtaken, 16_670, 700},
	} {
		if abs(c.got-c.want) > c.within {
			t.Errorf("%d of %d packets are %s, want %d ± %d", c.got, n, c.what, c.want, c.within)
		}
	}
	for i, got := range tenths {
		if abs(got-9800) > 471 {
			t.Errorf("%d packets take from %d to %d ms, want 9800 ± 471", got, 30+4*i, 34+4*i)
		}
	}
}

func abs(n int) int { return max(n, -n) }

func TestASeedRepeatsAndLinesDiffer(t *testing.T) {
	same, other := 0, 0
	for i := range uint64(1000) {
		if slices.Equal(Bad(7).Copies(i), Bad(7).Copies(i)) {
			same++
		}
		if slices.Equal(Bad(7).of(1).Copies(i), Bad(7).of(2).Copies(i)) {
			other++
		}
	}
	if same != 1000 || other > 5 {
		t.Errorf("with one seed %d of 1000 packets are alike, want all; on two lines %d, want those that both lose", same, other)
	}
	if got := (Path{}).Copies(3); !slices.Equal(got, []time.Duration{0}) {
		t.Errorf("an undisturbed path passes a packet on after %v, want at once", got)
	}
}

// ipv4 returns a packet of a protocol to a node.
func ipv4(protocol byte, to, size int) []byte {
	b := make([]byte, size)
	b[0], b[9] = 0x45, protocol
	at := address(to)
	copy(b[16:], at[:])
	return b
}

// arrivals returns the nodes that get packets until a time, and when.
func arrivals(r *relay, until time.Duration) (nodes []int, times []time.Duration) {
	for {
		p, ok, _ := r.due(until)
		if !ok {
			return nodes, times
		}
		nodes, times = append(nodes, p.to), append(times, p.at)
	}
}

func TestTheRelayDeliversInTime(t *testing.T) {
	r := relay{lines: make([]line, 3)}
	r.lines[1].up.path = Path{Delay: 30 * ms}
	r.lines[2].down.path = Path{Delay: 10 * ms}
	r.take(1, ipv4(17, host, 100), 0)
	r.take(host, ipv4(17, 2, 100), 5*ms)
	r.take(1, ipv4(17, host, 100), 0)
	r.take(1, ipv4(17, 2, 100), 0)       // to another rig
	r.take(host, ipv4(17, 3, 100), 0)    // to nobody
	r.take(host, ipv4(17, host, 100), 0) // to itself
	r.take(1, []byte{0x60, 1, 2}, 0)     // not IPv4
	r.take(1, nil, 0)
	if _, ok, next := r.due(14 * ms); ok || next != 15*ms {
		t.Errorf("something arrives before 15 ms, or the next one at %v, want 15 ms", next)
	}
	nodes, times := arrivals(&r, time.Second)
	if !slices.Equal(nodes, []int{2, host, host}) || !slices.Equal(times, []time.Duration{15 * ms, 30 * ms, 30 * ms}) {
		t.Errorf("nodes %v get packets at %v, want 2 at 15 ms and twice 0 at 30 ms", nodes, times)
	}
	if _, ok, next := r.due(time.Hour); ok || next >= 0 {
		t.Error("more arrives than was sent")
	}
}

func TestALineThatIsCutLosesAll(t *testing.T) {
	r := relay{lines: make([]line, 3)}
	send := func() {
		for rig := 1; rig <= 2; rig++ {
			r.take(rig, ipv4(6, host, 60), 0)
			r.take(host, ipv4(17, rig, 40), 0)
		}
	}
	r.lines[1].cut = true
	send()
	if nodes, _ := arrivals(&r, 0); !slices.Equal(nodes, []int{host, 2}) {
		t.Errorf("with the line of rig 1 cut, nodes %v get packets, want 0 and 2", nodes)
	}
	if up, down := r.lines[1].up.Cut, r.lines[1].down.Cut; up != 1 || down != 1 {
		t.Errorf("%d and %d packets counted as cut, want one in each direction", up, down)
	}
	r.lines[1].cut = false
	send()
	if nodes, _ := arrivals(&r, 0); len(nodes) != 4 {
		t.Errorf("joined again, nodes %v get packets, want four", nodes)
	}
}

func TestBytesAreCountedAsSent(t *testing.T) {
	r := relay{lines: make([]line, 2)}
	r.lines[1].up.path = Path{Loss: 1}
	for i, packet := range [][]byte{ipv4(17, host, 100), ipv4(6, host, 60), ipv4(1, host, 30), ipv4(17, host, 500), ipv4(17, host, 20)} {
		r.take(1, packet, time.Duration(i)*400*ms) // at 0, 400, 800, 1200, 1600 ms
	}
	want := Traffic{Packets: 5, Bytes: 710, UDP: 620, TCP: 60, Peak: 520, Lost: 5}
	if got := r.lines[1].up.Traffic; got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

func FuzzPacketsOfAnything(f *testing.F) {
	f.Add(ipv4(17, 1, 28))
	f.Add(binary.BigEndian.AppendUint32(make([]byte, 16), network))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := relay{lines: make([]line, 3)}
		for from := range r.lines {
			r.take(from, data, 0)
		}
		if nodes, _ := arrivals(&r, 0); len(nodes) > 2 || len(nodes) == 2 && slices.Contains(nodes, 1) {
			t.Errorf("one packet, sent by each of three nodes, reaches %v", nodes)
		}
	})
}
