module rig

go 1.25.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/coreos/go-systemd/v22 v22.7.0
	github.com/go-gl/gl v0.0.0-20231021071112-07e5d0ea2e71
	github.com/go-gl/glfw/v3.3/glfw v0.0.0-20260823155953-d41da22a9587
	github.com/go-gl/mathgl v1.2.0
	github.com/holoplot/go-evdev v0.0.0-20250804134636-ab1d56a1fe83
	github.com/pelletier/go-toml/v2 v2.4.3
	go.bug.st/serial v1.8.0
	golang.org/x/image v0.42.0
	golang.org/x/sys v0.46.0
	golang.org/x/term v0.42.0
	gonum.org/v1/gonum v0.17.0
)

require golang.org/x/text v0.38.0 // indirect
