package sound

import (
	"math"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
)

// Sense is what can be heard or felt in one tick.
type Sense struct {
	Audible bool // the car moves, or could: not paused, stopped or ended
	Inside  bool // the listener sits in the car

	Running  bool    // the engine runs, or the motor is switched on
	RPM      float64 // [1/min]
	Throttle float64 // 0..1
	Load     float64 // torque as a share of the highest, -1..1
	Boost    float64 // of the turbo, 0..1
	Gear     int64

	Speed   float64 // of the car over the ground [m/s]
	Station float64 // of the front axle along the center line [m]; NaN if the ground has no line
	Rain    float64 // how wet rain has made the road, 0..1
	Brake   float64 // 0..1
	ABS     float64 // pulsation of the pedal, 0..1
	Contact float64 // force on the body's outside and of wheels at full bump [N]
	Wheels  [4]WheelSense
}

// WheelSense is what can be heard or felt of one wheel.
type WheelSense struct {
	Material    int     // index in Car.Materials
	Load        float64 // as a share of a quarter of the car's weight
	Slip        float64 // over that of the largest force
	SlidePower  float64 // [W]
	Locked      float64 // braking slip, 0..1; 1 is a locked wheel
	TravelSpeed float64 // of the suspension [m/s], positive in compression
	Bottomed    float64 // how far the last tenth of the bump travel is used up, 0..1
	Rumble      float64 // of the surface as another simulator tells it, 0..1
}

// Tracker makes Senses of frames, whose work and impulses count from the start of the drive.
type Tracker struct {
	car    Car
	before frame.Frame
	known  bool // before is valid
}

// NewTracker returns a tracker of the frames of a drive.
func NewTracker(car Car) *Tracker { return &Tracker{car: car} }

// Next writes what is heard in a frame to s. Of ticks between the frame before and this one it has the mean work and
// force. It allocates nothing.
func (t *Tracker) Next(f *frame.Frame, s *Sense) {
	state := guard.State(f.State)
	ticks := float64(f.Tick) - float64(t.before.Tick)
	isNext := t.known && ticks > 0 && ticks < 1000
	*s = Sense{
		Audible: (state.Moves() || state == guard.Releasing) && f.Flags&frame.Paused == 0,
		Inside:  f.Display.Cockpit == 1 || f.Pictures == 0,
		Running: f.Flags&frame.EngineRunning != 0,
		RPM:     clamp(f.RPM, 0, maxRPM), Throttle: clamp(f.Throttle, 0, 1), Boost: clamp(f.Boost, 0, 1), Gear: f.Gear,
		Load:  bounded(f.EngineTorque/t.car.peakTorque, 1),
		Speed: clamp(math.Abs(f.Speed), 0, maxSpeed), Station: math.NaN(), Rain: clamp(f.GripLoss/wetLoss, 0, 1), Brake: clamp(f.Brake, 0, 1), ABS: clamp(f.BrakePulse, 0, 1),
	}
	if t.car.hasLine {
		s.Station = f.Station
	}
	if isNext {
		s.Contact = clamp((f.Impulse-t.before.Impulse)/(ticks*tickTime), 0, 1e6)
	}
	for i := range s.Wheels {
		t.wheel(f, i, &s.Wheels[i])
		if isNext {
			s.Wheels[i].SlidePower = clamp((f.Wheels[i].SlipEnergy-t.before.Wheels[i].SlipEnergy)/(ticks*tickTime), 0, 1e6)
		}
	}
	if f.Follow.On == 1 {
		t.followed(f, s)
	}
	t.before, t.known = *f, true
}

const (
	maxRPM   = 30e3
	maxSpeed = 150 // [m/s]
	tickTime = 1e-3
	wetLoss  = 0.25 // of the grip, on a road that is as wet as it gets
)

// wheel fills in what one frame tells of wheel i.
func (t *Tracker) wheel(f *frame.Frame, i int, s *WheelSense) {
	w := &f.Wheels[i]
	mean := (f.Wheels[0].Load + f.Wheels[1].Load + f.Wheels[2].Load + f.Wheels[3].Load) / 4
	travel := t.car.travel[i/2]
	*s = WheelSense{
		Material: int(min(w.Material, uint64(len(t.car.materials)-1))), Slip: clamp(w.NormalizedSlip, 0, 10),
		Locked: clamp(-w.SlipRatio, 0, 1), TravelSpeed: bounded(w.TravelSpeed, 5), Rumble: clamp(w.Rumble, 0, 1),
	}
	if mean > 0 {
		s.Load = clamp(w.Load/mean, 0, 4)
	}
	if travel > 0 {
		s.Bottomed = clamp((w.Travel/travel-0.9)*10, 0, 1)
	}
}

// followed replaces what another simulator does not tell: the load is that of the pedal, its tires carry a quarter each,
// and they slide with the work of a tire of 4 kN. The slip tells of braking too, but not which wheels lock.
func (t *Tracker) followed(f *frame.Frame, s *Sense) {
	const slidingForce = 4e3 // [N]
	s.Load, s.Station = s.Throttle, math.NaN()
	if s.Throttle == 0 && s.RPM > 1.5*t.car.idleRPM {
		s.Load = -0.2
	}
	for i := range s.Wheels {
		w := &s.Wheels[i]
		w.Load, w.Bottomed, w.Material = 1, 0, 0
		w.SlidePower = slidingForce * smoothStep(w.Slip, 0.8, 1.5) * 0.15 * s.Speed
	}
}
