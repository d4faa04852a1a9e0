package labtest

import (
	"slices"
	"testing"
	"time"

	"rig.example/rig/test/level"
	"rig.example/rig/test/vm/g29"
	"rig.example/rig/test/vm/pidwheel"
	"rig.example/rig/test/vm/replug"
	"rig.example/rig/test/vm/uinput"
)

// logRounds logs how long the device took to appear after each replug, and checks the times.
func logRounds(t *testing.T, rounds []replug.Round, want int) {
	t.Helper()
	if len(rounds) != want {
		t.Fatalf("%d rounds, want %d", len(rounds), want)
	}
	var took []time.Duration
	for _, r := range rounds {
		took = append(took, r.NodeTime)
	}
	slices.Sort(took)
	t.Logf("figure: %d replugs, from plug to node: min %v, p50 %v, max %v", want, took[0], took[want/2], took[want-1])
	if virtualTime() && took[want-1] > 2*time.Second {
		t.Errorf("a node came after %v, want 2 s at most", took[want-1])
	}
}

func TestG29IsFoundAfterEachReplug(t *testing.T) {
	inGuest(t)
	times := level.Pick(4, 4, 10)
	w, _, _ := plug(t, g29.Options{})
	again := func() (*g29.Wheel, error) { return g29.New(g29.Options{}) }
	w, rounds, err := replug.Repeat(times, w, 20*time.Millisecond, 50*time.Millisecond, again, nil)
	t.Cleanup(w.Unplug)
	if err != nil {
		t.Fatal(err)
	}
	logRounds(t, rounds, times)
	settle(w)
	checkForce(t, w, rounds[times-1].Node)
}

func TestDirectDriveIsFoundAfterEachReplug(t *testing.T) {
	inGuest(t)
	times := level.Pick(4, 4, 10)
	again := func() (*pidwheel.Wheel, error) { return pidwheel.New(pidwheel.Options{}) }
	w, err := again()
	if err != nil {
		t.Fatal(err)
	}
	w, rounds, err := replug.Repeat(times, w, 200*time.Millisecond, 50*time.Millisecond, again, nil)
	t.Cleanup(w.Unplug)
	if err != nil {
		t.Fatal(err)
	}
	logRounds(t, rounds, times)
	fd := openNode(t, rounds[times-1].Node)
	e := uinput.Constant(0x4000, 0)
	upload(t, fd, &e)
}
