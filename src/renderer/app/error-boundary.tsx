import { Component, type ReactNode } from 'react'
import { appStrings } from '#renderer/strings/app.ts'
import { Button } from '#renderer/ui/button.tsx'
import { navigate } from '#renderer/lib/routes.ts'
import './error-boundary.css'

type Props = Readonly<{ resetKey?: string; children: ReactNode }>

type State = Readonly<{ hasFailed: boolean; resetKey: string | undefined }>

/** React supports error boundaries only as classes. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { hasFailed: false, resetKey: props.resetKey }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    const again = (): void => this.setState({ hasFailed: false })
    const toToday = (): void => {
      navigate('/today')
      again()
    }
    return (
      <main className="crash" role="alert">
        <h1 className="crash-title">{appStrings.crash.title}</h1>
        <p className="crash-text">{appStrings.crash.text}</p>
        <div className="crash-actions">
          <Button variant="filled" onPress={again} label={appStrings.crash.again} />
          <Button onPress={toToday} label={appStrings.crash.today} />
        </div>
      </main>
    )
  }
}
