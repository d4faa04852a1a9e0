package rig

import (
	"context"
	"fmt"

	"rig.example/rig/devices/motion"
	"rig.example/rig/devices/pedals"
	"rig.example/rig/devices/wheel"
	"rig.example/rig/internal/core/drive"
	"rig.example/rig/internal/core/follow"
	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/sim"
)

// Follow are the options of a drive that follows another simulator instead of driving a car of its own.
type Follow struct {
	Source MotionSource
	Config follow.Config
	Trust  []follow.Trust // what the operator has confirmed
}

// MotionSource is another simulator.
type MotionSource interface {
	Run(ctx context.Context) error // receives packets until ctx ends
	Latest(s *follow.Sample)       // copies the newest packet; called by the loop, it neither waits nor allocates
	Status() string                // what is heard, and what to do if it is nothing, for people
	Notice() string                // what people must know of the senders while one is followed, or ""
}

// follow sets up a drive that follows another simulator. The wheel and the pedals belong to the game: they are not opened.
func (d *deviceSet) follow(r *Rig, o Options) error {
	r.wheel, r.pedals = noWheel{}, noPedals{}
	r.source, d.source = o.Follow.Source, o.Follow.Source
	setup := &r.drive.Setup
	setup.Follower, setup.FollowTrust = follow.New(o.Follow.Config, sim.Dt), o.Follow.Trust
	if err := d.useSwitches(r, o.Config, false); err != nil || !o.Demo {
		return err
	}
	r.simulated = true
	return d.simulatePlatform(r)
}

// senseSource reads the other simulator's newest packet, and whether there is a way to stop beside signals.
func (r *Rig) senseSource(in *drive.Inputs) {
	if r.source == nil {
		return
	}
	r.source.Latest(&r.packet)
	in.Source = r.packet
	const stops wheel.Actions = 1<<wheel.Stop | 1<<wheel.Pause | 1<<wheel.DeadMan
	hasWindow := in.Window.Pictures > 0 && in.Window.Keys&frame.WindowFocused != 0
	in.StopReady = r.simulated || hasWindow || r.estop != nil && !in.Stop.RelayFailed || r.controls != nil && r.controls.Readable()&stops != 0
}

// waysToStop are those that need no window.
const waysToStop = "an emergency stop switch, or a button for stop, pause or dead_man that no game has grabbed"

// followNotice returns the most important message while another simulator is followed, or "".
func (d *deviceSet) followNotice(f *frame.Frame) string {
	status := follow.Status(f.Follow.Status)
	switch {
	case status == follow.Silent:
		return d.source.Status()
	case f.Follow.StopReady == 0 && f.Pictures > 0:
		return "motion is off: another program has the keyboard, so no key stops the platform; click into this window, or better: connect " + waysToStop
	case f.Follow.StopReady == 0:
		return "motion is off until there is a way to stop: " + waysToStop + ", or --window while it has the keyboard"
	case status != follow.Ready:
		return "the other simulator: " + status.String() + "; motion is off"
	case d.platform != nil && !motion.State(f.Motion.State).Follows():
		return fmt.Sprintf("platform %s on %s", d.platform.Status().State, d.motion.Port)
	case d.source.Notice() != "":
		return d.source.Notice()
	case f.Follow.Trusted < 1 && guard.State(f.State) == guard.Driving:
		return fmt.Sprintf("%.0f %% of the motion until its signs are confirmed: rig follow --confirm", 100*f.Follow.Trusted)
	case f.Flags&frame.TuningChanged != 0:
		return motionGainText(f)
	}
	return ""
}

// noWheel and noPedals stand for a wheel and pedals that belong to a game.
type (
	noWheel  struct{}
	noPedals struct{}
)

func (noWheel) Poll(s *wheel.Sample)   { *s = wheel.Sample{} }
func (noWheel) Push(float64)           {}
func (noWheel) Rated() float64         { return 0 }
func (noWheel) UpdateRate() float64    { return 0 }
func (noWheel) Delay() float64         { return 0 }
func (noPedals) Poll(s *pedals.Sample) { *s = pedals.Sample{} }
