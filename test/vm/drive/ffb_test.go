package drive

import (
	"bytes"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/test/vm/g29"
)

// tried holds the output of `rig ffb test --json`.
type tried struct {
	Effect, Wheel, Ended string
	Given                float64  `json:"given_nm"`
	Left                 float64  `json:"left_deg"`
	Right                float64  `json:"right_deg"`
	Delay                *float64 `json:"delay_ms"`
	Rate                 float64  `json:"rate_hz"`
}

// `rig ffb test impact` sends pulses to a free rim and measures the delay of its motion.
func TestFFBTestMeasuresTheDelayWithPulses(t *testing.T) {
	rim := g29.DefaultRim()
	b := cockpit(t, &rim)
	var got tried
	decode(t, b.rig(nil, "ffb", "test", "impact", "--torque-nm", "1.5", "--duration", "3s", "--yes", "--json", "--page", t.TempDir()+"/page"), &got)
	if got.Ended != "done" || got.Given < 1.4 || got.Given > 1.5 || !strings.Contains(got.Wheel, "G29") || got.Rate < 100 {
		t.Errorf("%+v", got)
	}
	if got.Left < 5 || got.Right < 0.5 || got.Left > 120 {
		t.Errorf("went %.1f° to the left and %.1f° to the right", got.Left, got.Right)
	}
	if got.Delay == nil {
		t.Error("no delay was measured")
	} else {
		t.Logf("figure: a G29's rim answers after %.0f ms by its own account", *got.Delay)
		if *got.Delay < 1 || *got.Delay > 30 {
			t.Error("which is not between 1 and 30 ms")
		}
	}
	last := 0.0
	if b.force(&last) != 0 {
		t.Errorf("the wheel is left with %.2f of its force", last)
	}
}

func TestSignalsEndTheForceOfAnFFBTest(t *testing.T) {
	b := cockpit(t, nil)
	for _, s := range []struct {
		signal syscall.Signal
		ended  string
	}{{syscall.SIGINT, "interrupted"}, {syscall.SIGUSR2, "stopped by the operator"}} {
		t.Run(s.signal.String(), func(t *testing.T) {
			took := takenOffBy(t, b, s.signal, s.ended)
			for try := 1; try < 3 && took > 30*time.Millisecond && virtual(); try++ { // the host may have held the idle guest up
				took = takenOffBy(t, b, s.signal, s.ended)
			}
			if took > 30*time.Millisecond && virtual() {
				t.Errorf("the force ends %v after the signal, three times", took)
			}
		})
	}
}

// takenOffBy sends a signal to a force trial, and returns how long the force lasts after it.
func takenOffBy(t *testing.T, b *bench, signal syscall.Signal, ended string) (took time.Duration) {
	var out, log bytes.Buffer
	cmd := exec.Command(program, "ffb", "test", "constant", "--yes", "--json", "--duration", "30s", "--config", b.conf, "--page", t.TempDir()+"/page")
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	last, end := 0.0, time.Now().Add(10*time.Second)
	for b.force(&last) < 0.3 {
		if time.Now().After(end) {
			t.Fatalf("the force is %.2f after 10 s\n%s", last, &log)
		}
		time.Sleep(2 * time.Millisecond)
	}
	cmd.Process.Signal(syscall.SIGUSR1) // which confirms, and there is nothing to confirm
	began := time.Now()
	cmd.Process.Signal(signal)
	for b.force(&last) != 0 && time.Since(began) < time.Second {
		time.Sleep(time.Millisecond)
	}
	took = time.Since(began)
	if last != 0 {
		t.Errorf("%.2f of the force %v after the signal", last, took)
	}
	t.Logf("figure: no force %.0f ms after the signal", took.Seconds()*1e3)
	err := cmd.Wait()
	var got tried
	decode(t, out.Bytes(), &got)
	if err == nil || !strings.Contains(got.Ended, ended) {
		t.Errorf("ended with %v, says %q", err, got.Ended)
	}
	return took
}
