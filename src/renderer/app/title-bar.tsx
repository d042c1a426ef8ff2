import { Eye, EyeOff, Lock, Menu, Search } from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { appStrings } from '#renderer/strings/app.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { isMac, keysFor, useAppState } from '#renderer/lib/app-state.ts'
import { Mark } from '#renderer/ui/mark.tsx'
import { lockByHand } from '#renderer/lib/lock-reason.ts'
import { useToggleNames } from '#renderer/lib/names.ts'
import { RecordingSign } from '#renderer/lib/recording-sign.tsx'
import { useSettings } from '#renderer/lib/use-settings.ts'
import './title-bar.css'

interface TitleBarProps {
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
  readonly onFind: () => void
}

export function TitleBar({ isMenuOpen, onMenu, onFind }: TitleBarProps) {
  const isHidden = useSettings()?.hide_names ?? false
  const shell = useAppState()?.shell
  const toggleNames = useToggleNames()
  return (
    <header className="title-bar" data-region data-traffic-lights={(shell === 'electron' && isMac()) || undefined}>
      <div className="title-bar-brand">
        <IconButton
          className="title-bar-menu"
          label={appStrings.pages.menu}
          icon={Menu}
          isPressed={isMenuOpen}
          onPress={onMenu}
        />
        <Mark />
        <span className="title-bar-name">{appStrings.name}</span>
      </div>
      <RecordingSign />
      <AriaButton className="title-bar-find" aria-label={appStrings.titleBar.find} aria-keyshortcuts="Control+K" onPress={onFind}>
        <Search aria-hidden />
        <span className="title-bar-find-words">{appStrings.titleBar.find}</span>
        <kbd aria-hidden>{keysFor('Ctrl K')}</kbd>
      </AriaButton>
      <div className="title-bar-end">
        <IconButton
          className="title-bar-find-short"
          label={appStrings.titleBar.findShort}
          shortcut={keysFor('Ctrl+K')}
          icon={Search}
          onPress={onFind}
        />
        <IconButton
          label={isHidden ? appStrings.titleBar.showNames : appStrings.titleBar.hideNames}
          shortcut={keysFor('Ctrl+Shift+H')}
          icon={isHidden ? Eye : EyeOff}
          isPressed={isHidden}
          onPress={toggleNames}
        />
        <IconButton label={appStrings.titleBar.lock} shortcut={keysFor('Ctrl+L')} icon={Lock} onPress={lockByHand} />
      </div>
    </header>
  )
}
