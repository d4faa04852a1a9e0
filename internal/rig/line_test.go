package rig

import "testing"

func TestTheRigHasALineToDraw(t *testing.T) {
	r := demo(t)
	if r.racing.line == nil || len(r.notices) > 0 {
		t.Fatalf("no line: %q", r.notices)
	}
	if lap := r.racing.speeds.Time(); lap < 60 || lap > 200 || !r.racing.line.Closed() {
		t.Errorf("a lap of %.1f s", lap)
	}
	brakes, drives := 0, 0
	for s := 0.0; s < r.racing.line.Length(); s++ {
		switch _, ahead := r.racing.speeds.At(s); {
		case ahead < -1:
			brakes++
		case ahead > 1:
			drives++
		}
	}
	if brakes < 200 || drives < 500 {
		t.Errorf("brakes over %d m and speeds up over %d m", brakes, drives)
	}
}

// Where there is no room for a racing line the demo drives in the middle.
func TestANarrowRoadIsDrivenInTheMiddle(t *testing.T) {
	r := demo(t)
	r.racing = racing{}
	if err := r.simulate(); err != nil {
		t.Fatal(err)
	}
	if got := r.driver.(*robot).driver.Line(); got != r.circuit.Line {
		t.Error("the demo's driver has a line of its own")
	}
}
