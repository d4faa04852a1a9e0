package cueing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// A copy of a state is a snapshot: stepped in mid-drive by the same inputs, both give the same
// poses and stay equal.
func TestACopiedStateGoesOnEqually(t *testing.T) {
	for _, mode := range []string{Direct, Washout, Adaptive} {
		a := newSession(t, all(t, mode, "open6dofsim"))
		for i := range 700 {
			if i == 600 {
				a.Tune(Tuning{Gain: 2, Roll: 0.5}) // still followed when the copy is taken
			}
			a.Next(jolts(i))
		}
		b := *a
		for i := 700; i < 1500; i++ {
			if i == 900 {
				a.Reset()
				b.Reset()
			}
			in := jolts(i)
			car := carOf(in)
			if p, q := a.Pose(&car), b.Pose(&car); p != q || a.State != b.State {
				t.Fatalf("%s: tick %d: %+v, its copy %+v, equal states %t", mode, i, p, q, a.State == b.State)
			}
			if in.Force[0] = math.NaN(); i == 800 {
				a.Next(in)
				b.Next(in)
			}
		}
		before := b.State
		if a.Next(jolts(0)); b.State != before || a.State == b.State {
			t.Errorf("%s: a state and its copy are not apart", mode)
		}
	}
}

// Reset and Start are the same place, whatever was before.
func TestResetIsAStart(t *testing.T) {
	for _, mode := range []string{Direct, Washout, Adaptive} {
		s := newSession(t, all(t, mode, "rig"))
		for i := range 500 {
			car := carOf(jolts(i))
			s.Pose(&car)
		}
		if s.State == s.cue.Start() {
			t.Errorf("%s: a drive leaves no trace", mode)
		}
		if s.Reset(); s.State != s.cue.Start() {
			t.Errorf("%s: reset to %+v", mode, s.State)
		}
	}
}

// notPlain returns the paths in a type at which a copy would share something, or that cannot be
// compared.
func notPlain(path string, typ reflect.Type) (list []string) {
	switch typ.Kind() {
	case reflect.Struct:
		for i := range typ.NumField() {
			f := typ.Field(i)
			list = append(list, notPlain(path+"."+f.Name, f.Type)...)
		}
	case reflect.Array:
		list = notPlain(path+"[]", typ.Elem())
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Interface, reflect.Chan, reflect.UnsafePointer, reflect.String:
		list = []string{fmt.Sprintf("%s is a %s", path, typ.Kind())}
	}
	return list
}

func TestStateIsAPlainValue(t *testing.T) {
	if list := notPlain("State", reflect.TypeFor[State]()); list != nil {
		t.Error(list)
	}
	if list := notPlain("Cue", reflect.TypeFor[Cue]()); list == nil {
		t.Error("the mode, a string, is not found in Cue")
	}
}

// Neither a cue nor a platform changes while it is used: they equal those that nobody used.
func TestUseChangesNeitherCueNorPlatform(t *testing.T) {
	for _, mode := range []string{Direct, Washout, Adaptive} {
		used, fresh := newSession(t, all(t, mode, "open6dofsim")), newSession(t, all(t, mode, "open6dofsim"))
		for i := range 500 {
			used.Tune(Tuning{Gain: 2})
			used.Next(jolts(i))
		}
		used.Reset()
		if !reflect.DeepEqual(used.cue, fresh.cue) {
			t.Errorf("%s: the cue has changed", mode)
		}
	}
	dice := rand.New(rand.NewPCG(1, 20))
	for _, kind := range kinds {
		used, fresh := platform(t, everything(kind)), platform(t, everything(kind))
		for range 200 {
			used.Pose(used.Legs(anywhere(dice, used.Workspace(), 2)))
			used.Pose(Legs{1.5, -0.5, 1.5, -0.5, 1.5, -0.5})
		}
		if !reflect.DeepEqual(used.Platform, fresh.Platform) {
			t.Errorf("%s: the platform has changed", kind)
		}
	}
}

// The search begins at the pose that is given, whose slide and belt are no part of it, and what
// has no legs at all hands it back.
func TestASearchBeginsNearby(t *testing.T) {
	for _, kind := range []string{kindHexapod, kindRotary} {
		p := platform(t, ofKind(kind)).Platform
		want := Pose{Surge: 0.01, Roll: 0.02, Yaw: -0.03}
		legs, _ := p.Legs(want)
		first, ok := p.Pose(legs, Pose{})
		if !ok || apart(first, want) > 1e-9 {
			t.Fatalf("%s: %+v, %t", kind, first, ok)
		}
		at := first
		at.Slide, at.Belt = 0.3, 1
		if again, ok := p.Pose(legs, at); !ok || again != first {
			t.Errorf("%s: from its own answer %+v, %t, want %+v", kind, again, ok, first)
		}
		if far, ok := p.Pose(legs, Pose{Roll: 1.3, Heave: -9, Belt: math.NaN()}); !ok || apart(far, want) > 1e-9 {
			t.Errorf("%s: from far away %+v, %t", kind, far, ok)
		}
		if got, ok := p.Pose(Legs{math.NaN()}, at); ok || got != at {
			t.Errorf("%s: legs of NaN give %+v, %t, want what was given", kind, got, ok)
		}
	}
}
