import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { Card } from '@/components/ui'
import { ArtIcon, type ArtIconName } from './art-icon'

const features = (): readonly { title: string; text: string; icon: ArtIconName }[] => [
  {
    title: t`Create Assignments`,
    text: t`Set your friends a problem worth an evening: a description, the marks, a level, a picture and a day.`,
    icon: 'create',
  },
  {
    title: t`Submit Solutions`,
    text: t`Take a friend’s assignment, paste the link to your document, and leave a note for the grader.`,
    icon: 'submit',
  },
  {
    title: t`Peer Grading`,
    text: t`Open a friend’s work, give it a mark and say why. You cannot grade your own.`,
    icon: 'grade',
  },
  {
    title: t`Progress Tracking`,
    text: t`Your dashboard charts your marks over time and by level. Every card shows how far you have come with it.`,
    icon: 'progress',
  },
  {
    title: t`Collaboration Tools`,
    text: t`One circle for everyone: notes go to the grader, feedback comes back, and the next try is better.`,
    icon: 'together',
  },
  {
    title: t`Deadline Reminders`,
    text: t`Switch on Remind me, and your dashboard keeps the day in sight. Late work is welcome, and is marked as late.`,
    icon: 'deadline',
  },
]

export function FeatureGrid() {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-2xl">
        {t`Awesome Features`}
      </h2>
      <ul className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {features().map(({ title, text, icon }) => (
          <li key={title}>
            <Card lift className="h-full p-6">
              <ArtIcon name={icon} />
              <h3 className="mt-4">{title}</h3>
              <p className="mt-2 text-soft">{text}</p>
            </Card>
          </li>
        ))}
      </ul>
    </section>
  )
}
