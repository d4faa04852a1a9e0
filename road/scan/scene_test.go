package scan

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"rig.example/rig/road/gltfmesh"
)

// usual is how most programs export meshes.
func usual() Options { return Options{Up: "y", Scale: 1} }

// Count returns how many faults of a kind there are.
func (r *Report) Count(k Kind) int {
	for i := range r.Findings {
		if r.Findings[i].Kind == k {
			return r.Findings[i].Count
		}
	}
	return 0
}

// besideIt returns a gltfmesh.Open that knows these files.
func besideIt(files map[string]string) gltfmesh.Open {
	return func(name string) ([]byte, error) {
		if text, found := files[name]; found {
			return []byte(text), nil
		}
		return nil, errors.New("no such file")
	}
}

// places lists the corners of a scene's triangles, rounded to a millimetre.
func places(s *Scene) [][9]float64 {
	var list [][9]float64
	for i := 0; i < len(s.Indices); i += 3 {
		var t [9]float64
		for k := range 3 {
			p := s.at(s.Indices[i+k])
			for a, v := range [...]float64{p.X, p.Y, p.Z} {
				t[3*k+a] = math.Round(v*1000)/1000 + 0 // no -0
			}
		}
		list = append(list, t)
	}
	return list
}

func wantPlaces(t *testing.T, s *Scene, want ...[9]float64) {
	t.Helper()
	if got := places(s); !slices.Equal(got, want) {
		t.Errorf("triangles\n%v, want\n%v", got, want)
	}
}

// names lists what each triangle is called.
func names(s *Scene) string {
	var list []string
	for _, m := range s.Materials {
		list = append(list, s.Names[m])
	}
	return strings.Join(list, " ")
}

// wantError wants one line with a text in it.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line with %q", err, want)
	}
}

func wantWarnings(t *testing.T, s *Scene, want ...string) {
	t.Helper()
	if !slices.Equal(s.Warnings, want) {
		t.Errorf("warnings\n%s\nwant\n%s", strings.Join(s.Warnings, "\n"), strings.Join(want, "\n"))
	}
}
