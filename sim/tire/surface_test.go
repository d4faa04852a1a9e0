package tire

import (
	"slices"
	"strings"
	"testing"
)

func TestSurfaces(t *testing.T) {
	last := Surface{Grip: 2}
	for _, name := range SurfaceNames() {
		s, err := SurfaceNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		if s.Grip > last.Grip || !(s.Grip >= 0.05) || !(s.Stiffness >= 0.1 && s.Stiffness <= 1) || !(s.Rolling >= 1 && s.Rolling <= 25) {
			t.Errorf("%s is %+v after %+v", name, s, last)
		}
		last = s
	}
	if dry, err := SurfaceNamed("dry"); err != nil || dry != Dry() {
		t.Errorf("dry is %+v, %v", dry, err)
	}
	for _, name := range []string{"wet", "gravel", "grass", "snow", "ice"} {
		if !slices.Contains(SurfaceNames(), name) {
			t.Errorf("no %s", name)
		}
	}
}

func TestUnknownSurfaceErrorListsTheKnownOnes(t *testing.T) {
	_, err := SurfaceNamed("mud")
	if err == nil || !strings.Contains(err.Error(), `tire: surface "mud" not found; choose dry, `) {
		t.Errorf("error %v", err)
	}
}

func TestSurfaceNamesIsACopy(t *testing.T) {
	SurfaceNames()[0] = "lava"
	if SurfaceNames()[0] != "dry" {
		t.Error("changed from outside")
	}
}
