package dash

import (
	"testing"
)

func TestHosts(t *testing.T) {
	for _, tt := range []struct {
		host, peer string
		want       int
	}{
		{"192.168.1.5:8888", phone, 200},
		{"[::ffff:192.168.1.5]:8888", phone, 200},
		{"rig.local:8888", phone, 200},
		{"RIG.LOCAL:8888", phone, 200},
		{"localhost:8888", "127.0.0.1", 200},
		{"LocalHost:8888", "127.0.0.1", 200},
		{"[::1]:8888", "::1", 200},

		{"192.168.1.5", phone, 403}, // port 80
		{"192.168.1.5:8889", phone, 403},
		{"192.168.1.5:08888", phone, 403},
		{"192.168.1.6:8888", phone, 403},
		{"rig.local", phone, 403},
		{"rig.local:80", phone, 403},
		{"rig.local.:8888", phone, 403},
		{"evil.example:8888", phone, 403},
		{"evil.example:8888", "127.0.0.1", 403}, // a name that was made to point to loopback
		{"127.0.0.1.evil.example:8888", "127.0.0.1", 403},
		{"localhost.evil.example:8888", "127.0.0.1", 403},
		{"127.0.0.2:8888", "127.0.0.1", 403},
		{"192.168.1.5:8888", "127.0.0.1", 403},
		{"0.0.0.0:8888", "127.0.0.1", 403},
		{"localhost:8888", phone, 403}, // a tunnel or a relay
		{"127.0.0.1:8888", phone, 403},
		{"", phone, 403},
		{":8888", phone, 403},
		{"[::1]:8888", "127.0.0.1", 403},
		{"user@localhost:8888", "127.0.0.1", 403},
	} {
		for _, path := range []string{"/", "/nothing"} {
			got := newTestServer(nil).ask(request{method: "GET", path: path, host: tt.host, peer: tt.peer}).Code
			if want := map[bool]int{true: 404, false: tt.want}[tt.want == 200 && path != "/"]; got != want {
				t.Errorf("%s at %q from %s: %d, want %d", path, tt.host, tt.peer, got, want)
			}
		}
		stop := newTestServer(nil)
		stop.ask(request{method: "POST", path: "/stop", host: tt.host, peer: tt.peer, header: map[string]string{"Content-Type": "application/json"}})
		if got := stop.ordered.stops == 1; got != (tt.want == 200) {
			t.Errorf("stop at %q from %s: ordered %t", tt.host, tt.peer, got)
		}
	}
}

func TestOrdersOfOtherSites(t *testing.T) {
	for _, tt := range []struct {
		name   string
		header map[string]string
		want   int
	}{
		{"no origin: a script", nil, 204},
		{"own origin", map[string]string{"Origin": "http://192.168.1.5:8888", "Sec-Fetch-Site": "same-origin"}, 204},
		{"another site", map[string]string{"Origin": "http://evil.example"}, 403},
		{"another port", map[string]string{"Origin": "http://192.168.1.5:8889"}, 403},
		{"another scheme", map[string]string{"Origin": "https://192.168.1.5:8888"}, 403},
		{"no site", map[string]string{"Origin": "null"}, 403},
		{"empty", map[string]string{"Origin": ""}, 403},
		{"longer", map[string]string{"Origin": "http://192.168.1.5:8888.evil.example"}, 403},
		{"cross-site without an origin", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403},
		{"a form", map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, 403},
		{"a form with text", map[string]string{"Content-Type": "text/plain"}, 403},
		{"no type", map[string]string{"Content-Type": ""}, 403},
		{"a broken type", map[string]string{"Content-Type": "application/json; ="}, 403},
		{"with a character set", map[string]string{"Content-Type": "application/json; charset=utf-8"}, 204},
	} {
		for _, path := range []string{"/stop", "/tune"} {
			header := map[string]string{"Content-Type": "application/json", "Authorization": "Bearer " + testToken}
			for name, value := range tt.header {
				header[name] = value
			}
			s := newTestServer(nil)
			got := s.ask(request{method: "POST", path: path, host: lan, peer: phone, header: header, body: bodyTune})
			if got.Code != tt.want || (s.ordered.stops+len(s.ordered.tunes) == 1) != (tt.want == 204) {
				t.Errorf("%s at %s: %d, want %d; ordered %v", tt.name, path, got.Code, tt.want, s.ordered)
			}
		}
	}
}

func TestReadingFromOtherSites(t *testing.T) {
	link := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
	frame := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
	fetch := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
	for _, tt := range []struct {
		name, path string
		header     map[string]string
		want       int
	}{
		{"a link to the page", "/", link, 200},
		{"a link to the data", "/state", link, 403},
		{"a frame around the page", "/", frame, 403},
		{"a fetch of the page", "/", fetch, 403},
		{"a fetch of a script", "/app.js", fetch, 403},
		{"a fetch of the data", "/state", fetch, 403},
		{"the page's own fetch", "/state", map[string]string{"Sec-Fetch-Site": "same-origin"}, 200},
		{"typed in", "/", map[string]string{"Sec-Fetch-Site": "none"}, 200},
	} {
		got := newTestServer(nil).ask(request{method: "GET", path: tt.path, host: "localhost:8888", peer: "127.0.0.1", header: tt.header})
		if got.Code != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got.Code, tt.want)
		}
	}
}
