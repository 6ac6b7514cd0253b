import { ErrorState } from '../patterns/error-state.tsx'
import { PageHeader } from '../patterns/page-header.tsx'
import { stateTexts } from '../texts/en/state-texts.ts'

export const PageError = ({ error }: { error: unknown }) => (
  <>
    <PageHeader title={stateTexts.errorTitle} />
    <ErrorState error={error} />
  </>
)
