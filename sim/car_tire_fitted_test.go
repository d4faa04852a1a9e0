package sim

import (
	"math"
	"os"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"rig.example/rig/road"
	"rig.example/rig/sim/suspension"
	"rig.example/rig/sim/tire"
	"rig.example/rig/test/near"
)

func TestPressureKeyIsInKilopascals(t *testing.T) {
	p := shod("road")
	p.Front.Tire.Pressure, p.Rear.Tire.Pressure = 180, 180
	c := newCar(t, p, Dt)
	near.Value(t, "inflation [Pa]", c.wheels[tire.FL].pressure, 180e3, 0)
	s := c.Rest(r3.Vec{}, 0)
	before := s.Pos.Z
	run(c, &s, 3, Input{Brake: 1})
	near.Value(t, "height on soft tires", s.Pos.Z, before, 1e-4)
}

// A file's tire pulls to a side; its mirror image opposite pulls back.
func TestTiresOfAFileAreMirrored(t *testing.T) {
	data, err := os.ReadFile("tire/testdata/mf61.tir")
	if err != nil {
		t.Fatal(err)
	}
	p := shod("file.tir")
	if p.Front.Tire.File, err = tire.Parse("file.tir", data); err != nil {
		t.Fatal(err)
	}
	p.Rear.Tire.File = p.Front.Tire.File
	c := newCar(t, p, Dt)
	s := rolling(c, 20, 0)
	run(c, &s, 2, Input{})
	near.Value(t, "aside", s.Pos.Y, 0, 1e-6)
}

func TestAFilesRelaxationLengthsCountAndNotTheAxles(t *testing.T) {
	p := shod("road")
	plain := recorded(newCar(t, p, Dt))
	p.Front.Wheel.RelaxationX, p.Rear.Wheel.RelaxationY = 1.5, 1.5
	if other := recorded(newCar(t, p, Dt)); other != plain {
		t.Error("the axle's relaxation lengths changed the drive on a built-in set")
	}
}

// tilting adds an overturning moment [N·m] to a tire.
type tilting struct{ tire.Model }

func (m tilting) Forces(c tire.Contact) tire.Forces {
	f := m.Model.Forces(c)
	f.Mx += 200
	return f
}

func TestOverturningMomentRollsTheBody(t *testing.T) {
	p := shod("file.tir")
	brush, err := tire.NewBrush(tire.DefaultBrush(), 0.31)
	if err != nil {
		t.Fatal(err)
	}
	p.Front.Tire.File = &tire.Tire{Model: tilting{brush}, NominalLoad: 4000, Radius: 0.31}
	p.Rear.Tire.File = p.Front.Tire.File
	c := newCar(t, p, Dt)
	s := c.Rest(r3.Vec{}, 0)
	run(c, &s, 3, Input{Brake: 1})
	if more := s.Wheels[tire.FR].Load - s.Wheels[tire.FL].Load; !(more > 100) {
		t.Errorf("right minus left load %.1f N: a moment about x must press the right", more)
	}
}

func TestHeatReachesSpringAndSlip(t *testing.T) {
	p := shod("road")
	p.Front.Tire.Heat.Enabled = true
	k := newCar(t, p, Dt).wheels[tire.FL]
	w, at := WheelState{Heat: tire.Heat{Surface: 400, Bulk: 400, Gas: 400}}, suspension.Contact{Ground: suspension.Ground{Surface: tire.Dry()}}
	k.applyHeat(&at, &w)
	if !(at.Running.Pressure > 1.2*k.pressure && at.Ground.Surface.Stiffness < 0.9 && at.Ground.Surface.Grip < 0.9) {
		t.Errorf("%.0f Pa, %+v", at.Running.Pressure, at.Ground.Surface)
	}
}

func TestRollingResistanceWarmsTheTire(t *testing.T) {
	bulk := func(drag float64) float64 {
		p := DefaultCar()
		p.Front.Tire.Heat.Enabled = true
		c, err := New(p, road.Flat{Surface: tire.Surface{Grip: 1, Stiffness: 1, Rolling: drag}}, Dt)
		if err != nil {
			t.Fatal(err)
		}
		s := rolling(c, 20, 0)
		run(c, &s, 2, Input{})
		return s.Wheels[tire.FL].Heat.Bulk
	}
	// 0.012 of 3.6 kN at 20 m/s for 2 s into 13.5 kJ/K.
	if one, five := bulk(1), bulk(5); !(five-one > 3*0.1 && math.Abs(one-293.15) < 1) {
		t.Errorf("%.3f and %.3f K", one, five)
	}
}
