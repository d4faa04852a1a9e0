package circuit

import (
	"os"
	"path/filepath"
	"testing"
)

// digestOf returns the digest of a circuit with changes.
func digestOf(t *testing.T, name string, o Options) string {
	t.Helper()
	c, _, err := Load(name, o)
	if err != nil {
		t.Fatal(err)
	}
	return Digest(c)
}

// Another name or folder changes nothing, each change that a car would feel does.
func TestADigestTellsCircuitsApart(t *testing.T) {
	club := digestOf(t, "club", Options{})
	if again := digestOf(t, "club", Options{}); again != club {
		t.Errorf("the same circuit is %s, then %s", club, again)
	}
	const file = "title = 'another name'\n[layout]\nwidth_m = 9\n[[layout.piece]]\nturn_deg = 360\nradius_m = 60\n"
	var same []string
	for _, text := range []string{file, "title = 'a name'" + file[len("title = 'another name'"):]} {
		path := filepath.Join(t.TempDir(), "road.toml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		same = append(same, digestOf(t, path, Options{}))
	}
	if same[0] != same[1] {
		t.Error("name or folder changes the digest")
	}
	seen := map[string]string{club: "club", same[0]: "another circuit"}
	for name, o := range map[string]Options{"wet": {Weather: "wet"}, "start": {Overrides: []string{"start.at_m=20"}}, "skidpad": {}} {
		circuit := "club"
		if name == "skidpad" {
			circuit = name
		}
		d := digestOf(t, circuit, o)
		if other, found := seen[d]; found {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[d] = name
	}
}
