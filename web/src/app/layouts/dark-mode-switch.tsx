import { t } from '@lingui/core/macro'
import { SunMoonIcon } from '@/components/ui'
import { setTheme, useTheme } from '@/lib/theme'

export function DarkModeSwitch() {
  const dark = useTheme() === 'dark'
  return (
    <button
      type="button"
      role="switch"
      aria-checked={dark}
      aria-label={t`Dark mode`}
      onClick={() => setTheme(dark ? 'light' : 'dark')}
      className="grid size-11 place-items-center rounded-full hover:bg-line/60"
    >
      <SunMoonIcon dark={dark} />
    </button>
  )
}
