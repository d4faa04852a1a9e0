package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/connect/games"
	"rig.example/rig/test/level"
)

// followConfig writes a configuration that follows BeamNG at a port.
func followConfig(t *testing.T, port int, more string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rig.toml")
	text := fmt.Sprintf("profiles_dir = %q\n[guard]\nengage_s = 0.2\n[follow]\nsource = \"beamng\"\nport = %d\n%s", t.TempDir(), port, more)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// playBeamNG sends packets of a car that turns left and right, until the test ends.
func playBeamNG(t *testing.T, port int) {
	t.Helper()
	conn, err := net.Dial("udp", fmt.Sprint("127.0.0.1:", port))
	if err != nil {
		t.Fatal(err)
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer conn.Close()
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for began := time.Now(); ; {
			select {
			case <-end:
				return
			case <-tick.C:
			}
			b := make([]byte, 88)
			copy(b, "BNG1")
			at := time.Since(began).Seconds()
			for offset, v := range map[int]float64{8: 20 * at, 20: 20, 28: 4 * math.Sin(at), 48: 1} {
				binary.LittleEndian.PutUint32(b[offset:], math.Float32bits(float32(v)))
			}
			_, _ = conn.Write(b)
		}
	}()
	t.Cleanup(func() { close(end); <-ended })
}

func TestFollowAsksForWhatItNeeds(t *testing.T) {
	conf := followConfig(t, 48215, "[[telemetry.out]]\nformat = \"beamng\"\nto = \"127.0.0.1:48215\"\n")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"acc"}, "say ac"},
		{[]string{"gtr2"}, "not found; choose beamng, outsim, forza, dirt, wrc, rbr, ac"},
		{[]string{"simapi"}, "has no acceleration"},
		{[]string{"outgauge"}, "has no motion"},
		{[]string{"--watch", "--config", conf}, "this rig itself listens at port 48215"},
		{[]string{"--config", followConfig(t, 48216, "")}, "there is no platform to move"},
		{[]string{"--confirm", "--config", emptyConfig(t)}, "name the game"},
	} {
		if status, _, errs := rigCommand(t, append([]string{"follow"}, tt.args...)...); status != exitUsage || !strings.Contains(errs, tt.want) {
			t.Errorf("%q: status %d, %q", tt.args, status, errs)
		}
	}
	if status, out, _ := rigCommand(t, "follow", "--list"); status != exitDone || strings.Count(out, "packets a second") != len(games.Sources) {
		t.Errorf("list: status %d, %q", status, out)
	}
}

// A simulated platform follows a game; the recording drives it again, bit for bit.
func TestADemoFollowsAGame(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	const port = 48217
	playBeamNG(t, port)
	path := filepath.Join(t.TempDir(), "game.mcap")
	out, errs := done(t, "follow", "--demo", "--duration", "3s", "--json", "--record="+path, "--config", followConfig(t, port, ""), "--page", socketPath(t))
	var sum struct {
		Ticks     uint64
		Distance  float64 `json:"distance_m"`
		Torque    float64 `json:"max_rim_torque_nm"`
		ExitState string  `json:"exit_state"`
	}
	if err := json.Unmarshal([]byte(out), &sum); err != nil {
		t.Fatal(err)
	}
	if sum.Ticks != 3000 || sum.Distance < 40 || sum.Torque != 0 || sum.ExitState != "parked" || !strings.Contains(errs, "following beamng") {
		t.Errorf("%+v\n%s", sum, errs)
	}
	if out, _ := done(t, "replay", path, "--verify"); !strings.Contains(out, "ticks equal") {
		t.Errorf("replay: %s", out)
	}
}
