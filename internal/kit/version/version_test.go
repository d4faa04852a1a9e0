package version

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestFrom(t *testing.T) {
	settings := func(pairs ...string) (list []debug.BuildSetting) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return list
	}
	const id = "0123456789abcdef0123456789abcdef01234567"
	here, level := runtime.GOOS+"/"+runtime.GOARCH, "GO"+strings.TrimSuffix(strings.ToUpper(runtime.GOARCH), "LE")
	for _, tt := range []struct {
		name            string
		version, commit string // of the linker
		main            string // version of the module
		settings        []debug.BuildSetting
		want            Info
		line            string // before the target
	}{
		{"by scripts/build", "v1.2.0", id, "(devel)", settings(level, "v1"), Info{"v1.2.0", id, here + " v1"}, "rig v1.2.0 (commit 0123456789ab)"},
		{"with changes", "", id + "-dirty", "(devel)", settings(level, "v1"), Info{"devel", id + "-dirty", here + " v1"}, "rig devel (commit 0123456789ab-dirty)"},
		{"without a repository", "", "", "(devel)", settings(level, "v1"), Info{"devel", "", here + " v1"}, "rig devel (no commit: built without git)"},
		{"go build for newer processors", "", "", "v0.0.0-20260102030405-0123456789ab+dirty", settings(level, "v3", "vcs", "git", "vcs.revision", id, "vcs.modified", "true"),
			Info{"v0.0.0-20260102030405-0123456789ab+dirty", id + "-dirty", here + " v3"}, "rig v0.0.0-20260102030405-0123456789ab+dirty (commit 0123456789ab-dirty)"},
		{"go build, unchanged", "", "", "(devel)", settings(level, "v2", "vcs", "git", "vcs.revision", id, "vcs.modified", "false"), Info{"devel", id, here + " v2"}, "rig devel (commit 0123456789ab)"},
		{"go install of a version", "", "", "v1.3.0", settings(level, "v1"), Info{"v1.3.0", "", here + " v1"}, "rig v1.3.0 (no commit: built without git)"},
		{"the linker goes before Go", "v1.2.0", id, "v9.9.9", settings(level, "v1", "vcs", "git", "vcs.revision", "f00", "vcs.modified", "true"), Info{"v1.2.0", id, here + " v1"}, "rig v1.2.0 (commit 0123456789ab)"},
		{"nothing is known", "", "", "", nil, Info{"devel", "", here}, "rig devel (no commit: built without git)"},
	} {
		b := &debug.BuildInfo{Settings: tt.settings}
		b.Main.Version = tt.main
		tt.want.Target += " " + runtime.Version()
		if got := infoFrom(tt.version, tt.commit, b); got != tt.want || got.String() != tt.line+" "+tt.want.Target {
			t.Errorf("%s: %+v, want %+v\n%s", tt.name, got, tt.want, got)
		}
		if got := tt.want.IsClean(); got != (tt.want.Commit == id) {
			t.Errorf("%s: clean %t", tt.name, got)
		}
	}
}
