import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { AppLink, Button, EmptyState, LinkButton, ListPage, Select } from '@/components/ui'
import { useSearch } from '@/lib/search-params'
import { MarkAllRead } from './mark-all-read'
import { GroupedNotifications } from './notification-list'
import { notificationParams, notificationsQuery } from '@/entities/notification/queries'

/** The user's notifications, newest first. */
export function NotificationsPage() {
  const heading = useRef<HTMLHeadingElement>(null)
  const [{ show, page }, change] = useSearch(notificationParams)
  const list = useQuery(notificationsQuery(page, show))
  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1}>
        {t`Notifications`}
      </h1>
      <p className="mt-3 max-w-prose text-soft">
        <Trans>
          What others did with your work and your assignments, and what is due. You can{' '}
          <AppLink to="/profile#notifications" className="link">
            choose your notifications
          </AppLink>
          .
        </Trans>
      </p>
      <div className="mt-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <Select
          label={t`Show`}
          className="w-44"
          value={show}
          onChange={(event) => change({ show: event.currentTarget.value as typeof show })}
        >
          <option value="">{t`All`}</option>
          <option value="unread">{t`Unread`}</option>
        </Select>
        <MarkAllRead heading={heading} />
      </div>
      <ListPage
        list={list}
        totalPages={list.data?.totalPages}
        loading={t`Loading notifications`}
        heading={heading}
        empty={
          list.data?.rows.length === 0 &&
          (show ? (
            <EmptyState message={t`You have read them all.`} art="notifications">
              <Button variant="quiet" onClick={() => change({ show: '' })}>
                {t`Show all`}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState message={t`No notifications yet.`} art="notifications">
              <LinkButton to="/assignments">{t`Take an assignment`}</LinkButton>
            </EmptyState>
          ))
        }
      >
        {({ rows }) => <GroupedNotifications rows={rows} />}
      </ListPage>
    </div>
  )
}
