package dash

import (
	"bytes"
	"mime"
	"net/http"
	"sync"
	"time"
)

// server answers requests.
type server struct {
	options      Options
	hub          *hub
	hosts        map[string]bool  // allowed names of hosts
	now          func() time.Time // the clock of all limits of rate
	routes       map[string]route // by path
	listener     *limitedListener // nil if requests do not come from one
	writeTimeout time.Duration    // for one message of a stream

	wrongTokens guesses
	stops       rate
	tunes       rate
	counters    counters
}

// route is what is at a path.
type route struct {
	method string
	need   access
	serve  func(w http.ResponseWriter, r *http.Request) *refusal
}

// refusal is the answer to a request that is not served: an HTTP status, and a line that says what is wrong and what
// to do.
type refusal struct {
	status int
	text   string
}

const (
	maxBody        = 1 << 10 // largest body of a request [bytes]
	ordersASecond  = 20      // of each kind, from all clients
	contentJSON    = "application/json"
	securityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

func newServer(o Options, now func() time.Time) *server {
	s := &server{
		options: o, hub: newHub(o.Source, o.Scene), hosts: o.Config.allowedHosts(), now: now, writeTimeout: defaultTiming().write,
		stops: rate{window: newWindow(ordersASecond, time.Second)}, tunes: rate{window: newWindow(ordersASecond, time.Second)},
	}
	s.routes = map[string]route{
		"/events":  {http.MethodGet, reading, s.stream},
		"/state":   {http.MethodGet, reading, s.state},
		"/metrics": {http.MethodGet, reading, s.metrics},
		"/stop":    {http.MethodPost, public, s.stop},
		"/tune":    {http.MethodPost, tuning, s.tune},
	}
	for path, a := range assets() {
		s.routes[path] = route{http.MethodGet, public, a.serve}
	}
	return s
}

// ServeHTTP answers one request.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", securityPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	route, refused := s.admit(w, r)
	if refused == nil {
		refused = route.serve(w, r)
	}
	if refused != nil {
		s.refuse(w, refused)
	}
}

// admit returns the route of a request, or why it is refused.
func (s *server) admit(w http.ResponseWriter, r *http.Request) (route, *refusal) {
	if refused := s.checkHost(r); refused != nil {
		return route{}, refused
	}
	if refused := checkSite(r); refused != nil {
		return route{}, refused
	}
	at, ok := s.routes[r.URL.Path]
	if !ok {
		return route{}, &refusal{http.StatusNotFound, "nothing is at this path: the page is at /, data at /events, /state and /metrics, orders at /stop and /tune"}
	}
	if refused := at.check(w, r); refused != nil {
		return route{}, refused
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	return at, s.authorize(r, at.need)
}

// check refuses requests with a wrong method, type or size.
func (at route) check(w http.ResponseWriter, r *http.Request) *refusal {
	isHead := r.Method == http.MethodHead && at.method == http.MethodGet && at.need == public
	if r.Method != at.method && !isHead {
		w.Header().Set("Allow", at.method)
		return &refusal{http.StatusMethodNotAllowed, "wrong method: this path takes " + at.method}
	}
	if r.ContentLength > maxBody {
		return tooLarge
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); at.method == http.MethodPost && (err != nil || kind != contentJSON) {
		return &refusal{http.StatusForbidden, "orders must have the header Content-Type: application/json"}
	}
	return nil
}

var tooLarge = &refusal{http.StatusRequestEntityTooLarge, "the body is larger than 1 kB: send a smaller one"}

// refuse answers with a line of text.
func (s *server) refuse(w http.ResponseWriter, why *refusal) {
	s.counters.refused(why.status)
	if why.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(why.status)
	w.Write([]byte(why.text + "\n"))
}

// state answers with one JSON object.
func (s *server) state(w http.ResponseWriter, _ *http.Request) *refusal {
	w.Header().Set("Content-Type", contentJSON)
	w.Write(append(s.hub.state(), '\n'))
	return nil
}

// metrics answers with the text format of Prometheus.
func (s *server) metrics(w http.ResponseWriter, _ *http.Request) *refusal {
	var b bytes.Buffer
	s.writeMetrics(&b)
	if s.options.Metrics != nil {
		s.options.Metrics(&b)
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(b.Bytes())
	return nil
}

// counters are what the server has done so far. The zero value is ready to use.
type counters struct {
	mu       sync.Mutex
	byStatus map[int]uint64 // refused requests
	stops    uint64         // orders that reached the rig
	tunes    uint64
	dropped  uint64 // streams whose reader did not read
	skipped  uint64 // messages that were replaced by newer ones before a reader took them
}

func (c *counters) refused(status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byStatus == nil {
		c.byStatus = map[int]uint64{}
	}
	c.byStatus[status]++
}

// add adds n to one of the counters.
func (c *counters) add(counter *uint64, n uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*counter += n
}
