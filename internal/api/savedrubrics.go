package api

import (
	"context"

	"studycircle"
)

// SavedRubric is a rubric under a name.
type SavedRubric struct {
	ID       string                  `json:"_id"`
	Name     string                  `json:"name"`
	Criteria []studycircle.Criterion `json:"criteria"`
	CircleID string                  `json:"circleId,omitempty" doc:"Absent if it is your own."`
	Mine     bool                    `json:"mine" doc:"You saved it."`
	May      SavedRubricMay          `json:"may"`
}

// SavedRubricMay lists what the viewer may do: the server accepts everything that is true here.
type SavedRubricMay struct {
	Delete bool `json:"delete"`
}

// SavedRubrics are the rubrics of a place.
type SavedRubrics struct {
	Data []SavedRubric `json:"data"`
}

// criterionInput is a criterion in a body: all its members are required.
type criterionInput struct {
	Title  string `json:"title"`
	Levels []struct {
		Label string `json:"label"`
		Marks *whole `json:"marks" nullable:"true"`
	} `json:"levels"`
}

type saveRubricInput struct {
	Body struct {
		Name     string           `json:"name" doc:"1 to 100 characters."`
		Criteria []criterionInput `json:"criteria" doc:"As a rubric's."`
		CircleID string           `json:"circleId,omitempty" doc:"The id of a circle of yours, whose members all see it; absent for yourself."`
	}
}

func (in *saveRubricInput) rubric() studycircle.SavedRubricInput {
	out := studycircle.SavedRubricInput{Name: in.Body.Name, CircleID: in.Body.CircleID}
	for _, c := range in.Body.Criteria {
		criterion := studycircle.Criterion{Title: c.Title}
		for _, l := range c.Levels {
			level := studycircle.RubricLevel{Label: l.Label, Marks: -1} // refused below
			if l.Marks != nil {
				level.Marks = int64(*l.Marks)
			}
			criterion.Levels = append(criterion.Levels, level)
		}
		out.Rubric.Criteria = append(out.Rubric.Criteria, criterion)
	}
	return out
}

type listRubricsInput struct {
	Circle string `query:"circle" doc:"The id of a circle of yours; absent for your own rubrics."`
}

// Phrases are the sentences that the viewer keeps for feedback.
type Phrases struct {
	Phrases []string `json:"phrases" doc:"At most 50 of 1 to 300 characters."`
}

type phrasesInput struct {
	Body Phrases
}

func (o *operations) registerSavedRubrics(r *router) {
	const tags = tag("Reviews")
	operation(r, signedIn, tags.op("list-rubrics", "GET /api/rubrics",
		"List the rubrics that you saved, or a circle's", 401, 404),
		func(ctx context.Context, in *listRubricsInput) (*SavedRubrics, error) {
			found, err := o.Service.SavedRubrics(ctx, viewer(ctx).User, in.Circle)
			out := SavedRubrics{Data: make([]SavedRubric, len(found))}
			for i, r := range found {
				out.Data[i] = SavedRubric{r.ID, r.Name, r.Rubric.Criteria, r.CircleID, r.Mine, SavedRubricMay{r.MayDelete}}
			}
			return &out, err
		})
	operation(r, signedIn, created(tags.op("save-rubric", "POST /api/rubrics",
		"Save a rubric under a name, for yourself or for a circle", 401, 404, 409, 422, 429)),
		func(ctx context.Context, in *saveRubricInput) (*Inserted, error) {
			id, err := o.Service.SaveRubric(ctx, viewer(ctx).User, in.rubric())
			return &Inserted{InsertedID: id}, err
		})
	operation(r, signedIn, tags.op("delete-rubric", "DELETE /api/rubrics/{id}",
		"Delete a saved rubric", 401, 403, 404, 409),
		func(ctx context.Context, in *byID) (*Deleted, error) {
			return &Deleted{DeletedCount: 1}, o.Service.DeleteRubric(ctx, viewer(ctx).User, in.ID)
		})
	operation(r, signedIn, tags.op("get-phrases", "GET /api/phrases",
		"List the sentences that you keep for feedback", 401),
		func(ctx context.Context, _ *struct{}) (*Phrases, error) {
			found, err := o.Service.Phrases(ctx, viewer(ctx).User)
			return &Phrases{append([]string{}, found...)}, err
		})
	operation(r, signedIn, tags.op("put-phrases", "PUT /api/phrases",
		"Replace the sentences that you keep for feedback", 401, 422),
		func(ctx context.Context, in *phrasesInput) (*Modified, error) {
			return &Modified{ModifiedCount: 1}, o.Service.SetPhrases(ctx, viewer(ctx).User, in.Body.Phrases)
		})
}
