package driver

import (
	"errors"
	"slices"
	"testing"
)

func TestOwnRequestsFindTheirAnswers(t *testing.T) {
	r := newOwnRequests()
	first, firstAnswer, err := r.add("interrupt")
	second, secondAnswer, err2 := r.add("interrupt")
	if err = errors.Join(err, err2); err != nil || first == second {
		t.Fatal(first, second, err)
	}
	r.answer(controlResponse{RequestID: second, Subtype: "success"})
	r.answer(controlResponse{RequestID: second, Subtype: "again"})
	r.answer(controlResponse{RequestID: "unknown"})
	if got := <-secondAnswer; got.Subtype != "success" {
		t.Errorf("%+v", got)
	}
	r.remove(first)
	r.answer(controlResponse{RequestID: first})
	select {
	case got := <-firstAnswer:
		t.Errorf("answered after its removal: %+v", got)
	default:
	}
	r.refuse("new_feature")
	if _, _, err := r.add("new_feature"); !errors.Is(err, ErrUnsupported) {
		t.Error(err)
	}
	if _, _, err := r.add("interrupt"); err != nil {
		t.Errorf("another subtype: %v", err)
	}
}

func TestOpenRequestsAreAnsweredOnce(t *testing.T) {
	var r openRequests
	if r.any() || r.remove("a") {
		t.Error("open before the first request")
	}
	if !r.add("a") || r.add("a") || !r.add("b") || !r.add("c") {
		t.Error("ids are not told apart")
	}
	if !r.any() || !r.remove("a") || r.remove("a") {
		t.Error("answered twice, or never")
	}
	left := r.removeAll()
	slices.Sort(left)
	if !slices.Equal(left, []string{"b", "c"}) || r.any() {
		t.Errorf("left: %q", left)
	}
}
