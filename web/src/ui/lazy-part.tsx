import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { shellTexts } from '../texts/en/shell-texts.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { showToast } from './toast.tsx'

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props & object : never
type LazyPart<Module, Props> = ComponentType<Props> & { load: () => Promise<Module> }
type Options<Props> = {
  /** Shown while the file is loaded. */
  waiting?: ReactNode
  /** Shown instead of the part after a failure. Without it a message is shown and the part is closed. */
  renderFailure?: (error: unknown, props: Props) => ReactNode
}

/**
 * Makes a component whose file is loaded when it is first shown, or before by its `load`. If the file is missing or the
 * component fails, the rest of the page stays, and showing it again makes another attempt.
 */
export function lazyPart<Module, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  { waiting, renderFailure }: Options<PropsOf<Module[Name]>> = {},
): LazyPart<Module, PropsOf<Module[Name]>> {
  type Props = PropsOf<Module[Name]>
  const createPart = () => lazy(async () => ({ default: (await load())[name] as ComponentType<Props> }))
  let Part = createPart()
  function LazyPart(props: Props) {
    const handleFailure = () => {
      Part = createPart()
      if (renderFailure) return
      reportFailure()
      if ('close' in props && typeof props.close === 'function') props.close()
    }
    return (
      <ErrorBoundary onError={handleFailure} fallback={(error) => renderFailure?.(error, props)}>
        <Suspense fallback={waiting}>
          <Part {...props} />
        </Suspense>
      </ErrorBoundary>
    )
  }
  return Object.assign(LazyPart, { load })
}

const reportFailure = (): void =>
  showToast(shellTexts.partNotLoaded, {
    tone: 'failed',
    action: { label: shellTexts.reload, run: () => location.reload() },
  })
