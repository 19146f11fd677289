import { t } from '@lingui/core/macro'

interface FaqEntry {
  question: string
  answer: string
}

/** The seven questions, each answered by what the product does today. */
export const faqEntries = (): readonly FaqEntry[] => [
  {
    question: t`Do I need an account?`,
    answer: t`Not for looking around: anyone can read the assignments. To create one, take one or grade someone, register with your name, an email address and a password, or continue with Google.`,
  },
  {
    question: t`How do I take an assignment?`,
    answer: t`Write your work in a Google Doc and share it so that anyone with the link can view it. Then open the assignment, choose Take Assignment, paste the link and add a note for your grader if you like.`,
  },
  {
    question: t`Who grades my work?`,
    answer: t`Any other signed-in member of the circle. Your submission waits on the Pending Assignments page until one of them reads it and gives it a mark with feedback. The first mark counts.`,
  },
  {
    question: t`Can I grade my own submission?`,
    answer: t`No. On the Pending Assignments page your own work is labeled Own Submission. While you wait, mark someone else’s: reading how others solved it teaches you as much as the grade.`,
  },
  {
    question: t`What happens if I miss the due date?`,
    answer: t`You can still hand it in. The submission carries a small “late” badge, and the grader decides what that means. An honest late try is worth more than none.`,
  },
  {
    question: t`May I try the same assignment again?`,
    answer: t`Yes, as soon as your first attempt has been graded. You have one attempt waiting at a time, and every mark and its feedback stay on the My Attempted Assignments page. Your dashboard shows how they grow.`,
  },
  {
    question: t`Who can change or delete an assignment?`,
    answer: t`Only the person who created it. If an assignment is deleted, no work is lost: marks that were given stay, and submissions that are waiting can still be graded.`,
  },
]
