package sound

import (
	"math"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/kit/valid"
)

// Sense is what can be heard or felt in one tick.
type Sense struct {
	Audible bool // the car moves, or could: not paused, stopped or ended
	Inside  bool // the listener sits in the car

	Running  bool    // the engine runs, or the motor is switched on
	Starter  bool    // the starter turns the engine
	RPM      float64 // [1/min]
	Throttle float64 // 0..1
	Load     float64 // torque as a share of the highest, -1..1
	Boost    float64 // of the turbo, 0..1
	Gear     int64

	Speed   float64 // of the car over the ground [m/s]
	Station float64 // of the front axle along the center line [m]; NaN if the ground has no line
	Rain    float64 // how wet rain has made the road, 0..1
	Brake   float64 // 0..1
	Contact float64 // force on the body's outside and of wheels at full bump [N]
	Wheels  [4]WheelSense

	// What begins in this tick.
	Shift    bool    // a gear change begins or ends
	ABSPulse bool    // the anti-lock brakes release pressure
	Hit      float64 // by how much the contact force rises; 0 for less than a scrape [N]

	velocity float64 // along the car, positive forward [m/s]
}

// WheelSense is what can be heard or felt of one wheel.
type WheelSense struct {
	Material    int     // index in Car.materials
	Load        float64 // as a share of a quarter of the car's weight
	Slip        float64 // over that of the largest force
	SlidePower  float64 // [W]
	Locked      float64 // braking slip, 0..1; 1 is a locked wheel
	TravelSpeed float64 // of the suspension [m/s], positive in compression
	Bottoms     bool    // the suspension reaches the end of its bump travel in this tick
}

// Later returns the sense of a number of ticks later, or earlier for a negative number, if nothing new begins: the car is
// further along the road.
func (s Sense) Later(ticks int) Sense {
	s.Station += s.velocity * tickTime * float64(ticks)
	s.Shift, s.ABSPulse, s.Hit = false, false, 0
	for i := range s.Wheels {
		s.Wheels[i].Bottoms = false
	}
	return s
}

// Tracker makes Senses of frames: their work and impulses count from the start of the drive, and events are changes.
type Tracker struct {
	car          Car
	before       frame.Frame
	sense        Sense // of the frame before
	known        bool  // before and sense are valid
	hasThrottle  bool  // another simulator tells the throttle
	acceleration lag   // of the engine [1/min per s]
}

// NewTracker returns a tracker of the frames of a drive.
func NewTracker(car Car) *Tracker { return &Tracker{car: car} }

// Next writes what is heard in a frame to s. Of ticks between the frame before and this one it has the mean work and
// force. It allocates nothing.
func (t *Tracker) Next(f *frame.Frame, s *Sense) {
	state := guard.State(f.State)
	*s = Sense{
		Audible: (state.Moves() || state == guard.Releasing) && f.Flags&frame.Paused == 0 && (f.Follow.On == 0 || f.Follow.Share > 0),
		Inside:  f.Display.Cockpit == 1 || f.Pictures == 0,
		Running: f.Flags&frame.EngineRunning != 0, Starter: f.Flags&frame.StarterTurns != 0,
		RPM: valid.Clamp(f.RPM, 0, maxRPM), Throttle: valid.Clamp(f.Throttle, 0, 1), Boost: valid.Clamp(f.Boost, 0, 1), Gear: f.Gear,
		Load:  valid.Clamp(f.EngineTorque/t.car.peakTorque, -1, 1),
		Speed: valid.Clamp(math.Abs(f.Speed), 0, maxSpeed), velocity: valid.Clamp(f.Speed, -maxSpeed, maxSpeed), Station: math.NaN(),
		Rain: valid.Clamp(f.GripLoss/wetLoss, 0, 1), Brake: valid.Clamp(f.Brake, 0, 1),
	}
	if t.car.hasLine {
		s.Station = f.Station
	}
	for i := range s.Wheels {
		t.wheel(f, i, &s.Wheels[i])
	}
	if ticks := float64(f.Tick) - float64(t.before.Tick); t.known && ticks > 0 && ticks < 1000 {
		t.rates(f, s, ticks*tickTime)
	}
	if f.Follow.On == 1 {
		t.followed(f, s)
	}
	t.before, t.sense, t.known = *f, *s, true
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
	*s = WheelSense{
		Material: int(min(w.Material, uint64(t.car.groundMaterials-1))), Slip: valid.Clamp(w.NormalizedSlip, 0, 10),
		Locked: valid.Clamp(-w.SlipRatio, 0, 1), TravelSpeed: valid.Clamp(w.TravelSpeed, -5, 5),
	}
	if mean > 0 {
		s.Load = valid.Clamp(w.Load/mean, 0, 4)
	}
}

// rates fills in what the difference to the frame before tells, dt [s] before this one.
func (t *Tracker) rates(f *frame.Frame, s *Sense, dt float64) {
	const scrape = 3e3     // [N]
	const bottomed = 0.95  // of the bump travel
	const released = 0.5   // pulsation of the pedal
	const smoothing = 0.05 // [s]
	s.Contact = valid.Clamp((f.Impulse-t.before.Impulse)/dt, 0, 1e6)
	s.Shift = f.Gear != t.before.Gear
	s.ABSPulse = f.BrakePulse > released && !(t.before.BrakePulse > released)
	if rise := s.Contact - t.sense.Contact; rise > scrape {
		s.Hit = rise
	}
	for i := range s.Wheels {
		w, now, before, limit := &s.Wheels[i], f.Wheels[i].Travel, t.before.Wheels[i].Travel, bottomed*t.car.travel[i/2]
		w.SlidePower = valid.Clamp((f.Wheels[i].SlipEnergy-t.before.Wheels[i].SlipEnergy)/dt, 0, 1e6)
		w.Bottoms = limit > 0 && now > limit && !(before > limit)
	}
	t.acceleration.next(valid.Clamp((s.RPM-t.sense.RPM)/dt, -1e6, 1e6), max(smoothing/dt, 1))
}

// followed replaces what another simulator does not tell. The load is that of the pedal, or else as fast as the engine
// speeds up. The tires carry a quarter each, and slide with the work of a tire of 4 kN. The surface is as rough as the
// simulator tells. Which wheels lock is not known.
func (t *Tracker) followed(f *frame.Frame, s *Sense) {
	const slidingForce = 4e3             // [N]
	const fullAcceleration = 4e3         // of an engine under full load [1/min per s]
	const roughRumble, strip = 0.15, 0.6 // from which the surface is rough, and a rumble strip
	t.hasThrottle = t.hasThrottle || s.Throttle > 0
	s.Station, s.Load = math.NaN(), s.Throttle
	switch {
	case !t.hasThrottle:
		s.Load = valid.Clamp(0.3+t.acceleration.value/fullAcceleration, -0.2, 1)
	case s.Throttle == 0 && s.RPM > 1.5*t.car.idleRPM:
		s.Load = -0.2
	}
	for i := range s.Wheels {
		w := &s.Wheels[i]
		w.Load, w.Bottoms, w.Material = 1, false, t.car.groundMaterials
		w.SlidePower = slidingForce * smoothStep(w.Slip, 0.8, 1.5) * 0.15 * s.Speed
		switch rumble := f.Wheels[i].Rumble; {
		case rumble >= strip:
			w.Material += followedStrip
		case rumble >= roughRumble:
			w.Material += followedRough
		}
	}
}
