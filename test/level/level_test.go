package level

import (
	"flag"
	"testing"
)

func TestPick(t *testing.T) {
	tests := []struct {
		name, env, short string
		want             int
	}{
		{"between two edits", "", "true", 1},
		{"before a change lands", "", "false", 2},
		{"everything", "all", "false", 3},
		{"everything wins over -short", "all", "true", 3},
		{"another word is nothing", "some", "false", 2},
	}
	was := testing.Short()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("RIG_TEST", test.env)
			flag.Set("test.short", test.short)
			if got := Pick(1, 2, 3); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
	flag.Set("test.short", map[bool]string{true: "true", false: "false"}[was])
}

func TestSkipUnlessAllSkips(t *testing.T) {
	for env, want := range map[string]bool{"": true, "all": false} {
		t.Setenv("RIG_TEST", env)
		var skipped bool
		t.Run("inner", func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			SkipUnlessAll(t, "nothing")
		})
		if skipped != want {
			t.Errorf("with RIG_TEST=%q: skipped %v, want %v", env, skipped, want)
		}
	}
}
