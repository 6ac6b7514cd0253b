import { PageHeader } from '../patterns/page-header.tsx'
import { NotFoundState } from '../patterns/states.tsx'
import { stateTexts } from '../texts/en/state-texts.ts'

export const NotFoundPage = () => (
  <>
    <PageHeader title={stateTexts.notFoundTitle} />
    <NotFoundState />
  </>
)
