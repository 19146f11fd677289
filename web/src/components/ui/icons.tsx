import type { ReactNode } from 'react'
import { cx } from '@/lib/cx'

/** Icons in the hand of our pictures: 2 px ink lines on a 24 px grid. They are never the only name of a control. */
export function Icon({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cx('size-5 shrink-0', className)}
    >
      {children}
    </svg>
  )
}

export function EyeIcon({ struck }: { struck: boolean }) {
  return (
    <Icon>
      <path d="M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12Z" />
      <circle cx="12" cy="12" r="3" />
      {struck && <path d="M4 20 20 4" />}
    </Icon>
  )
}

export function BellIcon() {
  return (
    <Icon>
      <path d="M5.500 17.500c1.300-1.700 1.700-3.600 1.800-6.200C7.400 7.500 9.200 5 12 5s4.600 2.500 4.700 6.300c.100 2.600.500 4.500 1.800 6.200zM12 5V3M10 20.500c1 .700 3 .700 4 0" />
    </Icon>
  )
}

export function CalendarIcon() {
  return (
    <Icon>
      <path d="M4 6.500h16V20H4zM4 10.500h16M8.500 3.500v5M15.500 3.500v5" />
    </Icon>
  )
}

export function SearchIcon() {
  return (
    <Icon>
      <circle cx="10.500" cy="10.500" r="6" />
      <path d="m15 15 5.500 5.500" />
    </Icon>
  )
}

export function MenuIcon({ open }: { open: boolean }) {
  return <Icon>{open ? <path d="m6 6 12 12M18 6 6 18" /> : <path d="M4 7h16M4 12h16M4 17h11" />}</Icon>
}

export function MoreIcon() {
  return (
    <Icon>
      <path d="M5.500 12h.010M12 12h.010M18.500 12h.010" strokeWidth="3" />
    </Icon>
  )
}

export function BackIcon() {
  return (
    <Icon className="rtl:-scale-x-100">
      <path d="M20 12H4.500m6-6.500L4 12l6.500 6.500" />
    </Icon>
  )
}

/** Leads out of the product, in a tab of its own. */
export function ExternalIcon() {
  return (
    <Icon className="size-4! rtl:-scale-x-100">
      <path d="M10 5H4.500v14.500H19V14M14 4.500h5.500V10M19 5l-8.500 8.500" />
    </Icon>
  )
}

export function SunMoonIcon({ dark }: { dark: boolean }) {
  return (
    <Icon>
      {dark ? (
        <path d="M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500Z" />
      ) : (
        <path d="M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400" />
      )}
    </Icon>
  )
}

/** A tick, or the ring that waits for one. */
export function CheckIcon({ done }: { done: boolean }) {
  return (
    <Icon className="size-4">
      {done ? <path d="m4.500 12.500 5 5 10-11" /> : <circle cx="12" cy="12" r="7" />}
    </Icon>
  )
}

export function CloseIcon() {
  return (
    <Icon>
      <path d="m6 6 12 12M18 6 6 18" />
    </Icon>
  )
}
