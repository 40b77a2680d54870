package cloud

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Options configures a [Service]. The zero value is useful.
type Options struct {
	// Now is the clock; nil: time.Now.
	Now func() time.Time
	// Web is the address of the web pages; "" means https://github.com.
	Web string
	// Login is the login of the viewer; "" means sim-user.
	Login string
	// Frozen stops the clock, so that only [Service.Advance] moves it.
	Frozen bool
	// Plan decides what becomes of a session, by its problem statement; nil: [PlanOf].
	Plan func(problem string) Plan
	// LogsAt redirects requests for logs to this base address, which must serve [Service.LogAt]; "" serves them directly.
	LogsAt string
	// NoTags leaves the entity tags of answers out, so that conditional requests get whole answers.
	NoTags bool
}

// Service is the simulated service with everything it knows. It is safe for concurrent use.
type Service struct {
	o Options

	mu       sync.Mutex
	frozen   time.Time     // the time when the clock was stopped
	ahead    time.Duration // sum of Advance
	next     int64         // for ids and numbers
	jobs     []*job
	sessions []*work // in order of creation
	pulls    []*pull
	repos    map[string]*repo // by owner/name in lower case
}

// New returns a service without tasks.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Web == "" {
		o.Web = "https://github.com"
	}
	if o.Login == "" {
		o.Login = "sim-user"
	}
	if o.Plan == nil {
		o.Plan = PlanOf
	}
	return &Service{o: o, frozen: o.Now(), next: 1000, repos: map[string]*repo{}}
}

// Request is a request to the service, whose token was accepted.
type Request struct {
	Method, Path string
	Query        url.Values
	Header       http.Header
	Body         []byte
}

// Answer is the answer to a request.
type Answer struct {
	Status int
	Type   string // of the content
	Header map[string]string
	Body   []byte
}

// API is one of the two services that a path belongs to.
type API int

// The two services. They are authenticated separately.
const (
	None    API = iota
	Copilot     // the Copilot API
	GitHub      // GitHub's REST and GraphQL APIs
)

// Serves returns which of the two services a path belongs to, [None] if it is not of this package.
func Serves(path string) API {
	switch {
	case strings.HasPrefix(path, "/agents/"):
		return Copilot
	case path == "/graphql", strings.HasPrefix(path, "/repos/"), path == "/user":
		return GitHub
	}
	return None
}

// Advance moves the clock forward.
func (s *Service) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead += d
}

// now returns the time of the service. The lock is held.
func (s *Service) now() time.Time {
	if s.o.Frozen {
		return s.frozen.Add(s.ahead).UTC().Truncate(time.Millisecond)
	}
	return s.o.Now().Add(s.ahead).UTC().Truncate(time.Millisecond)
}

// Answer answers a request.
func (s *Service) Answer(r Request) Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
	part := strings.Split(strings.Trim(r.Path, "/"), "/")
	switch {
	case part[0] == "agents" && r.Header.Get("Copilot-Integration-Id") == "":
		return Answer{Status: http.StatusBadRequest, Type: "text/plain", Body: []byte("bad request: missing required Copilot-Integration-Id header\n")}
	case part[0] == "agents":
		return s.tagged(r, s.agents(r, part[1:]))
	case r.Path == "/graphql" && r.Method == http.MethodPost:
		return s.graphQL(r.Body)
	case r.Path == "/user" && r.Method == http.MethodGet:
		return encode(http.StatusOK, map[string]any{"login": s.o.Login, "id": viewerID, "node_id": userNode, "type": "User"})
	case part[0] == "repos" && len(part) >= 3:
		return s.tagged(r, s.rest(r, part[1], part[2], part[3:]))
	}
	return notFound()
}

// agents answers the Copilot API.
func (s *Service) agents(r Request, part []string) Answer {
	get, post := r.Method == http.MethodGet, r.Method == http.MethodPost
	switch n := len(part); {
	case post && n == 5 && strings.Join(part[:3], "/") == "swe/v1/jobs":
		return s.createJob(part[3], part[4], r.Body)
	case get && n == 6 && strings.Join(part[:3], "/") == "swe/v1/jobs":
		return s.getJob(part[3], part[4], part[5])
	case get && n == 1 && part[0] == "sessions":
		return s.listSessions(r.Query)
	case get && n == 2 && part[0] == "sessions":
		return s.getSession(part[1])
	case get && n == 3 && part[0] == "sessions" && part[2] == "logs":
		return s.getLog(part[1])
	case get && n == 3 && part[0] == "resource":
		return s.getResource(part[1], part[2])
	}
	return notFound()
}

// tagged adds an entity tag to an answer to a GET request, and replaces it by 304 if the client has it.
func (s *Service) tagged(r Request, a Answer) Answer {
	if s.o.NoTags || r.Method != http.MethodGet || a.Status != http.StatusOK {
		return a
	}
	sum := uint64(14695981039346656037)
	for _, b := range a.Body {
		sum = (sum ^ uint64(b)) * 1099511628211
	}
	tag := fmt.Sprintf(`W/"%x-%x"`, len(a.Body), sum)
	a.Header = map[string]string{"ETag": tag}
	if r.Header.Get("If-None-Match") == tag {
		return Answer{Status: http.StatusNotModified, Header: a.Header}
	}
	return a
}

// encode returns an answer with a value as JSON.
func encode(status int, v any) Answer {
	body, err := json.Marshal(v)
	if err != nil {
		panic("sim: encode a value of our own: " + err.Error())
	}
	return Answer{Status: status, Type: "application/json; charset=utf-8", Body: body}
}

// refuse returns an error as the service of jobs writes it: its status is a string.
func refuse(status int, message string) Answer {
	return encode(status, map[string]any{"message": message, "response_status_code": fmt.Sprint(status), "service": "swe"})
}

func notFound() Answer { return encode(http.StatusNotFound, map[string]any{"message": "Not Found"}) }

// uuid returns a random id of the form that the service uses.
func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
