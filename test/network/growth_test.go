package network

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/test/level"
)

// Up to 64 members, the host's and the rigs' traffic grows as it must: what a rig sends does not, what it gets grows with
// the number of cars. The figures are those of docs/sessions.md.
func TestGrowthToSixtyFourMembers(t *testing.T) {
	level.SkipIfQuick(t)
	counts := []int{4}
	if level.All() {
		counts = []int{2, 4, 8, 16, 32, 64}
	}
	for _, count := range counts {
		t.Run(strconv.Itoa(count), func(t *testing.T) { measureMembers(t, count) })
	}
}

// measureMembers measures the traffic of a session while each of its members sends ten seconds of states.
func measureMembers(t *testing.T, count int) {
	const warmUp, measured = 2 * session.StatesPerSecond, 10 * session.StatesPerSecond
	n := For(t, Options{Rigs: count, Up: Bad(1), Down: Bad(2)})
	h := newSession(t, n, "skidpad")
	circuit := h.results().Circuit
	cars := make([]*car, count)
	for i := range cars {
		cars[i] = h.join(i+1, session.ID(fmt.Sprintf("rig%02d", i+1)), circuit)
	}
	driveAll(ctx(t), cars, warmUp)
	up, down, work := n.sum(count), n.sumDown(count), h.host.work(t)
	driveAll(ctx(t), cars, warmUp+measured)
	up, down, work = n.sum(count).minus(up), n.sumDown(count).minus(down), h.host.work(t)-work

	const seconds = measured / session.StatesPerSecond
	mbit := func(bytes uint64) float64 { return float64(bytes) * 8e-6 / seconds / float64(count) }
	t.Logf("figure: %d members: each sends %.3f Mbit/s (%.3f by UDP) and gets %.3f (%.3f); the host sends %.1f Mbit/s and uses %.1f %% of a core",
		count, mbit(up.Bytes), mbit(up.UDP), mbit(down.Bytes), mbit(down.UDP), mbit(down.Bytes)*float64(count), 100*work/seconds)
	if count <= 16 && (mbit(up.Bytes) > 2 || mbit(down.Bytes) > 2) {
		t.Errorf("a rig sends %.2f and gets %.2f Mbit/s, want at most 2", mbit(up.Bytes), mbit(down.Bytes))
	}
	for _, c := range cars {
		c.mu.Lock()
		for _, other := range cars {
			if got := c.cars[other.joined.Slot]; (got > 0) != (c != other) {
				t.Errorf("%s got %d states of %s", c.member, got, other.member)
			}
		}
		c.mu.Unlock()
	}
}

// driveAll lets all cars drive until each has sent a number of states in total.
func driveAll(ctx context.Context, cars []*car, states uint64) {
	var all sync.WaitGroup
	for _, c := range cars {
		all.Go(func() { c.drive(ctx, states) })
	}
	all.Wait()
}

// sum and sumDown return the traffic of the first rigs together, from them and to them.
func (n *Network) sum(rigs int) (all Traffic) {
	for i := 1; i <= rigs; i++ {
		up, _ := n.Traffic(i)
		all = all.plus(up)
	}
	return all
}

func (n *Network) sumDown(rigs int) (all Traffic) {
	for i := 1; i <= rigs; i++ {
		_, down := n.Traffic(i)
		all = all.plus(down)
	}
	return all
}

func (t Traffic) plus(o Traffic) Traffic {
	return Traffic{Packets: t.Packets + o.Packets, Bytes: t.Bytes + o.Bytes, UDP: t.UDP + o.UDP, TCP: t.TCP + o.TCP}
}

func (t Traffic) minus(o Traffic) Traffic {
	return Traffic{Packets: t.Packets - o.Packets, Bytes: t.Bytes - o.Bytes, UDP: t.UDP - o.UDP, TCP: t.TCP - o.TCP}
}

// work returns the processor time that a program has used so far [s].
func (p *process) work(t *testing.T) float64 {
	t.Helper()
	const userAt, perSecond = 11, 100 // fields after the name; the kernel's unit of these times
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	sum := 0
	for _, field := range fields[userAt : userAt+2] {
		n, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	return float64(sum) / perSecond
}
