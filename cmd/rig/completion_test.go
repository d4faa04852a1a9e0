package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/connect/session/keys"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/test/level"
)

// Each line is a command line up to the cursor; | separates words, since some are empty.
func TestCompletion(t *testing.T) {
	level.SkipIfQuick(t)
	for line, want := range map[string][]string{ // what is offered among others; with a ! it must not be
		"":                             {"run", "motion", "completion", "help", "!display", "!complete", "!man", "!--help"},
		"motion|":                      {"home", "profile", "!run"},
		"motion|profile|":              {"save", "use", "list"},
		"-v|motion|profile|":           {"save"},
		"run|-":                        {"--car", "--headless", "--help", "--verbose", "!--page"},
		"run|":                         {"--car", "!run"},
		"run|--car|":                   append(config.Cars(), ":files toml"),
		"run|--car|=|":                 {"coupe"},
		"run|--car|=":                  {"coupe"},
		"run|--car=c":                  {"coupe"},
		"run|--track|":                 append(config.Circuits(), ":files toml glb gltf obj xodr crg asc"),
		"run|--camera|":                {"chase", "cockpit", "bonnet", "!trackside"},
		"run|--platform|":              append(config.Platforms(), ":files toml"),
		"run|--real=":                  {"wheel", "platform", "all"},
		"run|--real|":                  {"--car", "!wheel"}, // its value is optional
		"run|--config|":                {":files toml"},
		"run|--config|a|:|b|--car|":    {"coupe"},
		"run|--ghost|":                 {":files mcap"},
		"run|--nothing=":               {"!coupe", "!--car"},
		"maneuver|":                    {"moose", "open-loop"},
		"maneuver|moose|--surface":     {"!dry"},
		"maneuver|open-loop|--input|":  {":files csv"},
		"tire|":                        {"road", ":files tir"},
		"tire|x.tir|--surface|":        {"dry", "ice"},
		"tire|x.tir|--sweep|":          {"slip-angle"},
		"tire|x.tir|--csv|":            {":files csv"},
		"road|":                        {"club", ":files toml glb gltf obj xodr crg asc"},
		"replay|":                      {":files mcap"},
		"report|a.mcap|":               {":files mcap"},
		"report|a.mcap|-o|":            {":files html"},
		"export|--to|":                 {"csv", "mdf4"},
		"export|-o|":                   {":files"},
		"ls|":                          {":files /"},
		"motion|omct|--mode|":          {"direct", "washout", "adaptive"},
		"motion|sweep|--plot|":         {":files png svg"},
		"motion|tune|":                 {"force_gain"},
		"motion|tune|force_gain|0.5|-": {"--json"},
		"ffb|":                         {"live", "test", "map"},
		"ffb|--":                       {"--json"}, // of rig ffb live
		"ffb|test|":                    {"chirp"},
		"calibrate|ffb|--":             {"--scale", "--no-scale"},
		"follow|":                      {games.Sources[0].Name},
		"completion|":                  {"bash", "zsh", "fish"},
		"help|motion|":                 {"home", "!--help"},
		"help|":                        {"run"},
		"tire|--|-":                    {"!--csv", "road"},
		"nothing|":                     {"run"},
	} {
		status, out, errs := rigCommand(t, append([]string{"complete", "--"}, strings.Split(line, "|")...)...)
		if status != exitDone || errs != "" {
			t.Errorf("%q: status %d, %q", line, status, errs)
		}
		var offered []string
		for l := range strings.Lines(out) {
			value, _, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
			offered = append(offered, value)
		}
		for _, value := range want {
			value, not := strings.CutPrefix(value, "!")
			if slices.Contains(offered, value) == not {
				t.Errorf("%q: %q, refused %t, among %q", line, value, not, offered)
			}
		}
	}
}

// A value that kong takes only from a list, or a key of a configuration, is never forgotten.
func TestEveryListOfValuesHasValues(t *testing.T) {
	data := t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	for _, name := range []session.ID{"monza", "spa"} {
		if _, err := keys.OpenFolder(filepath.Join(data, "rig", "sessions"), name); err != nil {
			t.Fatal(err)
		}
	}
	for key, list := range builtin {
		if values := list(); len(values) < 2 || slices.Contains(values, "") {
			t.Errorf("%s: %q", key, values)
		}
	}
}

func TestCompletionOfAnotherShell(t *testing.T) {
	if status, out, errs := rigCommand(t, "completion", "tcsh"); status != exitUsage || out != "" || !strings.Contains(errs, `"bash","zsh","fish"`) {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}

// shell is a shell with completion, on a terminal.
type shell struct {
	tty    *os.File
	lock   sync.Mutex
	screen strings.Builder
}

// escapes matches what a shell sends to a terminal besides text.
var escapes = regexp.MustCompile(`\x1b(\[[0-9;?>=]*[a-zA-Z]|\][^\x07]*\x07|[()][A-Z0-9]|[=>])|\r|\x07|\x08`)

// newShell starts a shell in dir, whose program rig is the test's.
func newShell(t *testing.T, dir, source string, args ...string) *shell {
	t.Helper()
	if _, err := exec.LookPath(args[0]); err != nil {
		t.Skip(args[0] + " is not installed")
	}
	bin := t.TempDir()
	if err := os.Symlink(executable(t), filepath.Join(bin, "rig")); err != nil {
		t.Fatal(err)
	}
	master, slave := pty(t)
	_ = unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 200})
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asRig+"=1", "PATH="+bin+":"+os.Getenv("PATH"), "TERM=xterm", "HOME="+t.TempDir(), "PS1=$ ")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	s := &shell{tty: master}
	go s.read()
	s.write(t, source+"; echo rea''dy\n")
	s.shows(t, "ready")
	return s
}

func executable(t *testing.T) string {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func (s *shell) read() {
	var b [4096]byte
	for {
		n, err := s.tty.Read(b[:])
		if errors.Is(err, os.ErrClosed) || n == 0 {
			return
		}
		if strings.Contains(string(b[:n]), "\x1b[c") { // fish asks which terminal this is
			_, _ = s.tty.WriteString("\x1b[?1;2c")
		}
		s.lock.Lock()
		s.screen.Write(b[:n])
		s.lock.Unlock()
	}
}

func (s *shell) write(t *testing.T, text string) {
	t.Helper()
	if _, err := s.tty.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// shows waits for a text on the screen, and then forgets what was there.
func (s *shell) shows(t *testing.T, text string) {
	t.Helper()
	await(t, "shows "+text, func() bool {
		s.lock.Lock()
		defer s.lock.Unlock()
		shown := strings.Contains(escapes.ReplaceAllString(s.screen.String(), ""), text)
		if shown {
			s.screen.Reset()
		}
		return shown
	})
}

func TestShellsComplete(t *testing.T) {
	level.SkipIfQuick(t)
	dir := put(t, t.TempDir(), map[string]string{"a.toml": "", "b.mcap": "", "c.txt": "", "dir/d.tir": "", "with space.toml": ""})
	for name, shell := range map[string][]string{
		"source <(rig completion bash)":                                {"bash", "--norc", "-i"},
		"autoload -U compinit; compinit; source <(rig completion zsh)": {"zsh", "-f", "-i"},
		"rig completion fish | source":                                 {"fish", "--no-config", "-i"},
	} {
		t.Run(shell[0], func(t *testing.T) {
			s := newShell(t, dir, name, shell...)
			for typed, shown := range map[string]string{
				"rig mot":             "rig motion ",
				"rig motion pro":      "rig motion profile ",
				"rig run --car g":     "rig run --car gt ",
				"rig run --car=fo":    "--car=formula ",
				"rig run --head":      "--headless ",
				"rig run --camera=bo": "--camera=bonnet ",
				"rig run --config a":  "--config a.toml ",
				"rig run --config=a":  "--config=a.toml ",
				"rig run --config wi": `--config with\ space.toml `,
				"rig replay b":        "rig replay b.mcap ",
				"rig tire di":         "rig tire dir/",
				"rig tire dir/":       "rig tire dir/d.tir ",
				"rig export --to mo":  "--to motec ",
			} {
				s.write(t, typed+"\t")
				s.shows(t, shown)
				s.write(t, "\x15") // clears the line
			}
		})
	}
}
