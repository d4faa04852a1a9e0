package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/core/channels"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/files/recording"
	"rig.example/rig/internal/files/replay"
	"rig.example/rig/test/level"
)

// A drive that is killed leaves a recording that lacks its last 1.5 s at most, and a whole file can be made of it.
func TestAKilledDriveLeavesItsRecording(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	conf := recordingConfig(t)
	random := rand.New(rand.NewPCG(1, 9))
	var lost []int64
	for n := range level.Pick(1, 4, 200) {
		path := filepath.Join(t.TempDir(), fmt.Sprint(n, ".mcap"))
		k := killDrive(t, path, conf, 300+random.Uint64N(2700))
		got := int64(k.driven) - checkKilled(t, path)
		lost = append(lost, got)
		if most := 1500 + max(k.stall.Milliseconds(), k.unwritten); got < 0 || got > most {
			t.Errorf("kill %d, after %d ms of driving: %d ms of it are lost; must be 0 to %d", n, k.driven, got, most)
		}
		if t.Failed() {
			break
		}
	}
	slices.Sort(lost)
	t.Logf("figure: %d kills: %d, %d and %d ms lost (least, median, most)", len(lost), lost[0], lost[len(lost)/2], lost[len(lost)-1])
}

// killed tells what was known of a drive when it was killed.
type killed struct {
	driven uint64        // steps of the car's simulation, which are milliseconds
	stall  time.Duration // longest time for which the machine let this process wait; the recorder may have waited as long

	unwritten int64 // longest run of the car's steps in which the recorder, held up by the machine, wrote nothing, beyond its usual half second
}

// killDrive records a drive and kills it once the car has driven for a number of ticks.
func killDrive(t *testing.T, path, conf string, ticks uint64) (k killed) {
	t.Helper()
	socket := socketPath(t)
	drive := rigProcess("run", "--demo", "--headless", "--record="+path, "--config", conf, "--page", socket)
	var errs bytes.Buffer
	drive.Stderr = &errs
	if err := drive.Start(); err != nil {
		t.Fatal(err)
	}
	defer drive.Wait()
	defer drive.Process.Kill()
	await(t, "the drive", func() bool { return shows(socket) })
	p, err := framepage.Open(socket)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var f frame.Frame
	began, written, size := time.Now(), uint64(0), uint64(0)
	for before := began; f.Tick < ticks; before = time.Now() {
		if time.Since(began) > 3*time.Minute {
			t.Fatalf("drove for %d ms in 3 minutes", f.Tick)
		}
		time.Sleep(time.Millisecond)
		k.stall = max(k.stall, time.Since(before))
		p.Read(&f)
		k.unwritten = max(k.unwritten, int64(f.Tick)-int64(written)-500)
		if f.Recorder.Bytes > size {
			written, size = f.Tick, f.Recorder.Bytes
		}
	}
	if err := drive.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := drive.Wait(); err == nil {
		t.Fatalf("ended before it was killed:\n%s", errs.String())
	}
	p.Read(&f) // the memory outlives the process that wrote it
	k.driven = f.Tick
	return k
}

// checkKilled checks the recording of a killed drive, and the whole file that is made of it. It returns how many steps
// of the car it holds.
func checkKilled(t *testing.T, path string) int64 {
	t.Helper()
	ticks, steps, damage := contentOf(t, path)
	if damage == "" {
		t.Errorf("%s: nothing tells that the drive was killed", path)
	}
	whole := strings.TrimSuffix(path, ".mcap") + "-whole.mcap"
	if status, out, errs := rigCommand(t, "replay", path, "--repair", whole); status != exitDone || errs != "" || !strings.HasPrefix(out, whole+": ") {
		t.Fatalf("repair: status %d, %q, %q", status, out, errs)
	}
	ticksOfWhole, stepsOfWhole, damage := contentOf(t, whole)
	if damage != "" || ticksOfWhole != ticks || stepsOfWhole != steps {
		t.Errorf("repaired: %d ticks and %d steps of %d and %d; damage %q", ticksOfWhole, stepsOfWhole, ticks, steps, damage)
	}
	if status, out, errs := rigCommand(t, "replay", whole); status != exitDone || errs != "" || !strings.HasPrefix(out, fmt.Sprintf("all %d ticks equal (", ticks)) {
		t.Errorf("replay: status %d, %q, %q; want %d ticks", status, out, errs, ticks)
	}
	return steps
}

// contentOf returns how many ticks a recording has, how many steps the car had made at its last sample, and its damage.
func contentOf(t *testing.T, path string) (ticks uint64, steps int64, damage string) {
	t.Helper()
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Whole != (r.Damage == "") {
		t.Errorf("%s: whole %v, damage %q", path, r.Whole, r.Damage)
	}
	list, err := channels.Named("car_ticks")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	log, err := replay.Log(r, replay.Part{Channels: list, Progress: func(float64) { shown++ }})
	if err != nil {
		t.Fatal(err)
	}
	if shown != len(r.Blocks) {
		t.Errorf("%s: progress was shown %d times for %d blocks", path, shown, len(r.Blocks))
	}
	for _, v := range log.Channels[0].Values {
		if !math.IsNaN(v) {
			steps = int64(v)
		}
	}
	return r.Length(), steps, r.Damage
}
