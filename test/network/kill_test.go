package network

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/bus"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/connect/session/race"
	"rig.example/rig/internal/kit/splitmix"
	"rig.example/rig/test/level"
)

// A host that is killed at random moments and started again has each lap that it had acknowledged, once. Rigs send those
// again that it had not, so in the end all are there.
func TestAKilledHostHasAllAcknowledgedLaps(t *testing.T) {
	level.SkipIfQuick(t)
	killHosts(t, newSession, level.Pick(0, 3, 25))
}

// So it is on servers of the user's own, of which one is killed with each host.
func TestAKilledHostAndServerHaveAllAcknowledgedLaps(t *testing.T) {
	level.SkipIfQuick(t)
	killHosts(t, newSessionOnCluster, level.Pick(0, 1, 9))
}

func killHosts(t *testing.T, newSession func(*testing.T, *Network, string) *hosted, kills int) {
	const rigs = 4
	mild := Path{Delay: 2 * ms, Jitter: ms, Loss: 0.02, Seed: 9}
	n := For(t, Options{Rigs: rigs, Up: mild, Down: mild})
	h := newSession(t, n, smallCircuit(t))
	circuit, err := json.Marshal(h.results().Circuit)
	if err != nil {
		t.Fatal(err)
	}
	timers := make([]*process, rigs)
	for i := range timers {
		timers[i] = h.timeLaps(i+1, string(circuit))
	}
	for kill := range kills {
		h.moreLaps(timers)
		time.Sleep(time.Duration(splitmix.Mix(uint64(kill)) % uint64(100*ms))) // so that it is now before, now after a lap is kept
		h.kill()
		if h.servers != nil {
			h.servers.Kill(kill % 3)
		}
		h.start()
		if h.servers != nil {
			h.moreLaps(timers) // while two servers are left
			h.servers.Start(kill % 3)
		}
	}
	h.moreLaps(timers)
	for _, p := range timers {
		_ = p.Process.Kill() // it goes on for ever
		<-p.ended
	}
	laps, sum := h.laps(), 0
	for _, p := range timers {
		r, want := laps[session.ID(p.name)], acknowledged(p)
		sum += want
		if got := len(r.Laps); got != want && got != want+1 || len(r.Refused) > 0 { // the last one may have been kept without an answer
			t.Errorf("%s: %d laps in the results, %v refused, %d were acknowledged", p.name, got, r.Refused, want)
		}
		for i, lap := range r.Laps {
			if number := (lap.Time - r.Laps[0].Time) / longer; math.Abs(number-float64(i)) > 0.1 {
				t.Errorf("%s: lap %d of the results is its lap %.1f", p.name, i+1, number+1)
			}
		}
	}
	t.Logf("figure: %d kills: all %d acknowledged laps are there, each once", kills, sum)
}

// timeLaps starts a program in a rig's node that finishes laps and sends them until it is killed.
func (h *hosted) timeLaps(rig int, circuit string) *process {
	h.t.Helper()
	member := session.ID(fmt.Sprintf("rig%d", rig))
	c := exec.Command("/proc/self/exe")
	c.Env = append(os.Environ(), lapTimer+"="+h.invite(member, session.Rig), lapCircuit+"="+circuit)
	return h.startIn(h.net.Rig(rig), string(member), c)
}

// acknowledged returns how many laps the host has acknowledged: a line each.
func acknowledged(p *process) int { return strings.Count(p.out.String(), "\n") }

// moreLaps waits until the host has acknowledged another lap of each rig, and then one more, for the first may have been
// acknowledged before.
func (h *hosted) moreLaps(timers []*process) {
	h.t.Helper()
	for _, p := range timers {
		before := acknowledged(p)
		h.wait("laps of "+p.name+" are acknowledged", func() bool { return acknowledged(p) > before+1 })
	}
}

// smallCircuit returns the path of a circuit that is so short that a lap may take less than a second.
func smallCircuit(t *testing.T) string {
	t.Helper()
	const text = `title = "Ring"
[layout]
width_m = 6
road = "tarmac"
verge = "tarmac"
verge_m = 2
[[layout.piece]]
name = "ring"
turn_deg = 360
radius_m = 17
kerb = "none"
`
	path := filepath.Join(t.TempDir(), "ring.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// lapTimer is the variable that makes the test binary a program that sends laps: the path of an invitation. The one after
// it is the circuit as JSON.
const lapTimer, lapCircuit = "RIG_TEST_NETWORK_LAPS", "RIG_TEST_NETWORK_CIRCUIT"

// longer is how much longer each lap takes than the one before [s], which numbers them in the results.
const longer = 0.0001

// sendLaps joins a session, and finishes a lap as often as the circuit allows. It sends each until it is acknowledged, and
// then prints a line.
func sendLaps(invitation string) error {
	var circuit session.Circuit
	i, err := keys.Read(invitation)
	if err == nil {
		err = json.Unmarshal([]byte(os.Getenv(lapCircuit)), &circuit)
	}
	if err != nil {
		return err
	}
	b := patiently(func(ctx context.Context) (*bus.Bus, error) { // the host may just have been killed
		return bus.Connect(ctx, i, bus.Options{Name: "laps", Log: quiet})
	})
	start := patiently(func(ctx context.Context) (start time.Time, err error) { // of the session
		var board session.Board
		err = b.Request(ctx, session.PresenceSubject(i.Session), session.Query{}, &board)
		return time.Now().Add(-time.Duration(board.Now)), err
	})
	patiently(func(ctx context.Context) (joined session.Joined, err error) {
		err = b.Request(ctx, session.JoinSubject(i.Session, i.Member), session.Join{Protocol: session.Protocol, Build: "test", Driver: "test", Car: "test", Circuit: circuit}, &joined)
		return joined, err
	})
	for number := 1; ; number++ {
		lap := session.Lap{Number: number, Time: circuit.Length/race.MaxSpeed + 0.01 + float64(number)*longer, Valid: true}
		time.Sleep(time.Duration(lap.Time * 1e9))
		e := session.Event{ID: fmt.Sprint("lap-", number), Kind: session.LapDone, At: int64(time.Since(start)), Member: i.Member, Lap: &lap}
		patiently(func(ctx context.Context) (uint64, error) {
			return b.Store(ctx, session.MemberEventSubject(i.Session, i.Member), e.ID, &e)
		})
		fmt.Println(number)
	}
}

// patiently calls try again and again until it succeeds.
func patiently[T any](try func(context.Context) (T, error)) T {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		v, err := try(ctx)
		cancel()
		if err == nil {
			return v
		}
		time.Sleep(20 * ms)
	}
}
