package calib

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"rig.example/rig/test/hostile"
)

// A profile that is damaged, or not there as a file, is an error that names it.
func TestHostileProfiles(t *testing.T) {
	good := goodWheel()
	seed, err := toml.Marshal(&good)
	if err != nil {
		t.Fatal(err)
	}
	fine := regexp.MustCompile(`^(half|CR LF|UTF-8 with a mark|[0-9]\. number .*)$`) // cut between two keys, the later ones of which need not be there; numbers within their range
	n := 0
	for _, in := range hostile.Inputs(string(seed), "[") {
		n++
		s := Store{t.TempDir()}
		path := s.ownPath("wheel", good.Device)
		if err := in.Create(path); err != nil {
			t.Fatal(err)
		}
		p, err := s.Wheel(good.Device)
		switch {
		case err == nil && !fine.MatchString(in.Name):
			t.Errorf("%s: accepted", in.Name)
		case err == nil:
			if err := p.Validate(); err != nil {
				t.Errorf("%s: accepted though %v", in.Name, err)
			}
		case !strings.Contains(err.Error(), path):
			t.Errorf("%s: %.300v does not name the file", in.Name, err)
		}
		os.RemoveAll(s.Dir)
	}
	t.Logf("%d hostile profiles", n)
}
