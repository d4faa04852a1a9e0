package network

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
)

// Sixteen rigs drive in a bad network on one circuit: 50 ± 20 ms each way, 2 % of the packets lost, others doubled and
// overtaken. Four of them are cut off for half a minute, and the process of the session of a fifth hangs for 20 s.
// At last the host is killed and started again. The session goes on, each rig shows the others where they are, its loop
// waits for nothing, its drive repeats bit for bit, and all laps are in the results. `make test` drives two rigs, of which
// one is cut off for 8 s while the session's process of the other hangs for 5: the same happens to each, and what a host
// does for more members is tested in internal/connect/session/host and by TestGrowthToSixtyFourMembers.
func TestSixteenRigs(t *testing.T) {
	level.SkipIfQuick(t)
	driveTogether(t, newSession, level.Pick(0, 2, 16))
}

// Eight rigs do so on three servers of the user's own, of which one is killed. Sixteen rigs beside three servers that wait
// for the disk are more than two processors can do.
func TestEightRigsOnACluster(t *testing.T) {
	level.SkipUnlessAll(t, "laps on a cluster while hosts and servers are killed")
	driveTogether(t, newSessionOnCluster, 8)
}

func driveTogether(t *testing.T, newSession func(*testing.T, *Network, string) *hosted, count int) {
	n := For(t, Options{Rigs: count, Up: Bad(11), Down: Bad(12)})
	h := newSession(t, n, "skidpad")
	rigs := make([]*wholeRig, count)
	for i := range rigs {
		rigs[i] = h.drive(i + 1)
	}
	h.all(rigs, "it shows all others", func(r *wholeRig) bool { return r.sees(count - 1) })
	h.all(rigs, "it has finished a lap", func(r *wholeRig) bool { return r.laps() > 0 })
	h.partition(rigs, rigs[:max(1, count/4)], rigs[count-1])
	h.all(rigs, "it shows all others again", func(r *wholeRig) bool { return r.sees(count - 1) })
	h.traffic(rigs)
	if h.servers != nil {
		h.loseServer(rigs)
	}
	h.kill()
	h.all(rigs, "it drives on alone", (*wholeRig).alone)
	h.start()
	h.all(rigs, "it shows all others once the host is there again", func(r *wholeRig) bool { return r.sees(count - 1) })
	h.stopAll(rigs)

	summaries := make([]summary, count)
	for i, r := range rigs {
		summaries[i] = h.finish(r)
	}
	h.compareLaps(rigs, summaries)
	h.comparePositions(rigs)
	h.verifyAll(rigs)
}

// all waits until something is so for all rigs.
func (h *hosted) all(rigs []*wholeRig, what string, is func(*wholeRig) bool) {
	h.t.Helper()
	for _, r := range rigs {
		h.wait(string(r.member)+": "+what, func() bool {
			select {
			case <-r.ended:
				h.t.Fatalf("%s has ended: %v: %s", r.member, r.failure, tail(r.err.String()))
			default:
			}
			return is(r)
		})
	}
}

// partition cuts some rigs off for a part of their drives, and stops the session's process of another for less. Meanwhile
// the loops of all go on, the others go on with the session, and those that are cut off are no longer shown.
func (h *hosted) partition(rigs, away []*wholeRig, hung *wholeRig) {
	h.t.Helper()
	cutOff, hangs := uint64(level.Pick(0, 8_000, 30_000)), uint64(level.Pick(0, 5_000, 20_000)) // ticks of 1 ms
	child := sessionProcess(h.t, hung)
	before := map[*wholeRig]loopCount{}
	for _, r := range rigs {
		before[r] = r.count(h.t)
	}
	laps := h.laps()
	for _, r := range away {
		h.net.Cut(r.number, true)
	}
	signal(h.t, child, syscall.SIGSTOP)
	h.all([]*wholeRig{hung}, "its loop goes on although its process hangs", func(r *wholeRig) bool { f, _ := r.now(); return f.Tick > before[r].ticks+hangs })
	signal(h.t, child, syscall.SIGCONT) // within a lap, for the page has only the last one
	h.all(rigs, "its loop goes on while others are cut off", func(r *wholeRig) bool { f, _ := r.now(); return f.Tick > before[r].ticks+cutOff })
	h.all(rigs, "it shows all but those that are cut off", func(r *wholeRig) bool {
		return slices.Contains(away, r) || r.sees(len(rigs)-len(away)-1)
	})
	h.all(rigs, "the host knows of another lap", func(r *wholeRig) bool {
		return slices.Contains(away, r) || len(h.laps()[r.member].Laps) > len(laps[r.member].Laps)
	})
	h.all(away, "it is cut off: it has no connection and shows no others", (*wholeRig).alone)
	for _, r := range away {
		if got, want := len(h.laps()[r.member].Laps), len(laps[r.member].Laps); got != want {
			h.t.Errorf("%s is cut off, and the host has %d laps of it, want %d", r.member, got, want)
		}
	}
	h.compareWaits(rigs, before)
	for _, r := range away {
		h.net.Cut(r.number, false)
	}
}

// loseServer kills a server, and starts it again when the session has gone on without it.
func (h *hosted) loseServer(rigs []*wholeRig) {
	h.t.Helper()
	h.servers.Kill(0)
	laps := h.laps()
	h.all(rigs, "the host knows of another lap without the server", func(r *wholeRig) bool {
		return len(h.laps()[r.member].Laps) > len(laps[r.member].Laps)
	})
	h.all(rigs, "it shows all others without the server", func(r *wholeRig) bool { return r.sees(len(rigs) - 1) })
	h.servers.Start(0)
}

// compareWaits checks that the loops have waited for nothing but their next period: once in each.
func (h *hosted) compareWaits(rigs []*wholeRig, before map[*wholeRig]loopCount) {
	h.t.Helper()
	const limit = 1.5 // with what Go's scheduler adds every 8 ms
	most := 0.0
	for _, r := range rigs {
		now := r.count(h.t)
		waits := float64(now.waits-before[r].waits) / float64(now.ticks-before[r].ticks)
		if most = max(most, waits); waits > limit {
			h.t.Errorf("the loop of %s waits %.2f times per tick, want once", r.member, waits)
		}
	}
	h.t.Logf("figure: loops wait at most %.3f times per tick, with rigs cut off and a session's process that hangs", most)
}

// sessionProcess returns the process that takes part in the session for a rig.
func sessionProcess(t *testing.T, r *wholeRig) int {
	t.Helper()
	children, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range children {
		text, _ := os.ReadFile(path) // it may have ended
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		command, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		if len(fields) > 1 && fields[1] == strconv.Itoa(r.Process.Pid) && strings.Contains(string(command), "session-member") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			return pid
		}
	}
	t.Fatalf("%s has no process of the session", r.member)
	return 0
}

func signal(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, s); err != nil {
		t.Fatal(err)
	}
}

// traffic checks what the rigs have sent and got so far.
func (h *hosted) traffic(rigs []*wholeRig) {
	h.t.Helper()
	const limit = 2e6 / 8 // [bytes/s]
	var most, peak float64
	for _, r := range rigs {
		f, _ := r.now()
		up, down := h.net.Traffic(r.number)
		seconds := float64(f.Tick) / 1000
		most = max(most, float64(up.Bytes)/seconds, float64(down.Bytes)/seconds)
		peak = max(peak, float64(up.Peak), float64(down.Peak))
	}
	h.t.Logf("figure: %d rigs: at most %.3f Mbit/s in either direction of a rig, %.3f in its worst second", len(rigs), most*8e-6, peak*8e-6)
	if most > limit {
		h.t.Errorf("a rig sends or gets %.3f Mbit/s, want at most 2", most*8e-6)
	}
}

// stopAll lets race control ask all rigs for their software stop, and waits until each has reported it.
func (h *hosted) stopAll(rigs []*wholeRig) {
	h.t.Helper()
	if out, err := h.ask("stop"); err != nil {
		h.t.Fatal(out, err)
	}
	h.all(rigs, "it has stopped", func(r *wholeRig) bool { f, _ := r.now(); return guard.State(f.State) == guard.Stopped })
	h.wait("each rig has reported its stop", func() bool {
		board := h.board()
		return len(board.Entries) == len(rigs) && !slices.ContainsFunc(board.Entries, func(m session.Member) bool { return !m.Stopped })
	})
}

// compareLaps compares the laps of the results with those that the rigs themselves have timed.
func (h *hosted) compareLaps(rigs []*wholeRig, summaries []summary) {
	h.t.Helper()
	laps, sum := h.laps(), 0
	for i, r := range rigs {
		got, want := laps[r.member], summaries[i].Laps
		same := len(got.Laps) == len(want) && len(want) > 1
		for k := 0; same && k < len(want); k++ {
			same = math.Abs(got.Laps[k].Time-want[k].Time) < 1e-6
		}
		if !same {
			h.t.Errorf("%s: the results have the laps %+v (%v refused), the rig has %+v", r.member, got.Laps, got.Refused, want)
		}
		sum += len(want)
	}
	h.t.Logf("figure: all %d laps of %d rigs are in the results", sum, len(rigs))
}

// comparePositions compares where rigs have shown the others with where these have been, while both drove at the same
// constant speed: a car of which nothing has arrived for a tenth of a second is shown to stop. One in a hundred may be further
// away, because a machine that sixteen rigs share holds up a process for longer than a car takes for the distance.
func (h *hosted) comparePositions(rigs []*wholeRig) {
	h.t.Helper()
	const limit = 0.3 // [m]
	bySlot := map[uint64]*wholeRig{}
	for _, e := range h.board().Entries {
		bySlot[uint64(e.Slot)] = rigs[slices.IndexFunc(rigs, func(r *wholeRig) bool { return r.member == e.ID })]
	}
	var errors []float64
	far := 0
	for _, r := range rigs {
		for _, s := range r.shown {
			if pos, vel, ok := bySlot[s.slot].steadyAt(s.at); ok && s.opacity == 1 && math.Hypot(s.vel[0]-vel[0], s.vel[1]-vel[1]) < 1 {
				d := math.Hypot(math.Hypot(s.pos[0]-pos[0], s.pos[1]-pos[1]), s.pos[2]-pos[2])
				if errors = append(errors, d); d > limit {
					far++
					h.t.Logf("%s shows %s %.2f m from where it was", r.member, bySlot[s.slot].member, d)
				}
			}
		}
	}
	slices.Sort(errors)
	if len(errors) < 100*len(rigs) {
		h.t.Fatalf("only %d positions of cars at constant speed are compared", len(errors))
	}
	if 100*far > len(errors) {
		h.t.Errorf("%d of %d positions are further than %.1f m from where the cars were", far, len(errors), limit)
	}
	h.t.Logf("figure: %d positions of other cars: error %.3f m (median), %.3f (99 %%), %.3f (largest)", len(errors), errors[len(errors)/2], errors[len(errors)*99/100], errors[len(errors)-1])
}

// verifyAll drives all recordings again.
func (h *hosted) verifyAll(rigs []*wholeRig) {
	var all sync.WaitGroup
	free := make(chan struct{}, 2)
	for _, r := range rigs {
		all.Go(func() {
			free <- struct{}{}
			if err := r.verify(); err != nil {
				h.t.Error(err)
			}
			<-free
		})
	}
	all.Wait()
}
