package drive

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/test/level"
	"rig.example/rig/test/vm/mono"
)

const degrees = 180 / math.Pi

// TestTheWholeChain turns the wheel and presses pedals, and checks the reactions of car, rim and platform.
func TestTheWholeChain(t *testing.T) {
	b := cockpit(t, nil)
	b.startPlatform()
	b.asShipped()
	if !level.All() { // the other tests of `make test` begin at rest, and here the car still accelerates at full throttle
		b.startAt(65)
	}
	b.run()
	b.moveFoot()
	last, from := 0.0, b.now().Speed

	t.Log("full throttle to 22 m/s: nose up")
	b.drive(0, 1, 0)
	accelerating := b.until("3 m/s more", soon(10*time.Second), func(f frame.Frame) bool { return f.Speed > from+3 })
	pulled := b.until("22 m/s", soon(20*time.Second), func(f frame.Frame) bool { return f.Speed > 22 })
	rearUp := (b.platform.Positions()[0] + b.platform.Positions()[1]) / 2
	if pulled.Pose[4] >= 0 || accelerating.Pose[4] >= 0 {
		t.Errorf("pitch %.2f° under power, want the nose up (negative)", pulled.Pose[4]*degrees)
	}

	t.Log("release the throttle: nose down")
	b.drive(0, 0, 0)
	b.until("a pitch above that under power, and the actuators behind the pivot above where they were", soon(600*time.Millisecond), func(f frame.Frame) bool {
		return f.Pose[4] > pulled.Pose[4] && (b.platform.Positions()[0]+b.platform.Positions()[1])/2 > rearUp
	})

	t.Log("turn left: the car yaws left, the rim pushes right, the platform leans right")
	b.drive(35, 0.35, 0)
	turning := b.until("a yaw to the left, a torque and a force to the right, a roll to the right and the left actuator above the right one", soon(2500*time.Millisecond), func(f frame.Frame) bool {
		targets := b.platform.Targets()
		return f.Rate[2] > 0.15 && f.RimTorque < -0.2 && b.force(&last) < -0.05 && f.Pose[3] > 0 && targets[0] > targets[1]+5
	})
	t.Logf("figure: yaw rate %.2f rad/s, rim %.2f N·m, force byte share %.2f, targets %v", turning.Rate[2], turning.RimTorque, last, b.platform.Targets())

	b.slide(t, &last)

	var sum struct {
		Missed, Dropped uint64
		ExitState       string `json:"exit_state"`
		Lateness        any    `json:"lateness_us"`
	}
	if err := json.Unmarshal(b.finish(), &sum); err != nil {
		t.Fatal(err)
	}
	if sum.ExitState != "parked" || virtual() && sum.Dropped != 0 {
		t.Errorf("ended %s with %d missed periods and %d dropped", sum.ExitState, sum.Missed, sum.Dropped)
	}
	t.Logf("figure: lateness %v µs", sum.Lateness)
	// On a busy host the last report may still be on the emulated bus.
	for end := mono.Now() + soon(time.Second); b.force(&last) != 0 && mono.Now() < end; {
		mono.SleepUntil(mono.Now() + 5*time.Millisecond)
	}
	if last != 0 {
		t.Errorf("force %.2f left on the wheel after the end", last)
	}
}

// slide turns more and more until the front slides, which must lighten the rim.
func (b *bench) slide(t *testing.T, last *float64) {
	t.Log("turn in until the front slides: the rim gets lighter")
	var peak, asked float64
	jolts := 0 // looks at what a kerb or the grass gave between two frames, where the car comes to leave the road
	var requested, forces []float64
	var at frame.Frame
	for angle := 35.0; angle <= 300; angle += 2.5 {
		b.drive(angle, 0.5, 0)
		time.Sleep(25 * time.Millisecond)
		f, force := b.now(), b.force(last)
		// what arrives is what the tires ask now or asked since the last look, within a step of the 8-bit wheel
		was := asked
		asked = min(max(f.AskedTorque/f.RatedTorque, -1), 1)
		if virtual() && len(requested) > 0 && (force > max(was, asked)+0.12 || force < min(was, asked)-0.12) {
			t.Logf("a jolt at %.0f°: force %.3f, asked for %.3f after %.3f", angle, force, asked, was)
			jolts++
			continue
		}
		requested, forces = append(requested, asked), append(forces, force)
		if force < peak {
			peak, at = force, f
		}
	}
	if jolts > 4 {
		t.Errorf("%d of some 100 forces are not what was asked for", jolts)
	}
	if r := stat.Correlation(requested, forces, nil); virtual() && r < 0.9 { // on a busy host the two are read at different times
		t.Errorf("correlation of the force at the wheel with the requested torque is %.2f, want 0.9", r)
	}
	f := b.now()
	end := b.force(last)
	t.Logf("figure: force peak %.2f at a front slip angle of %.1f°, %.2f at %.1f°", peak, -at.Wheels[0].SlipAngle*degrees, end, -f.Wheels[0].SlipAngle*degrees)
	if virtual() && end < 0.8*peak {
		t.Errorf("force %.2f when sliding, peak was %.2f: it should have fallen by a fifth", end, peak)
	}
}
