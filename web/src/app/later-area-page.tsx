import { useParams } from '@tanstack/react-router'
import { Hourglass } from 'lucide-react'
import { PageHeader } from '../patterns/page-header.tsx'
import { HomeLink, State } from '../patterns/states.tsx'
import { laterAreaTexts as texts } from '../texts/en/later-area-texts.ts'
import { laterAreas } from './later-areas.ts'
import { NotFoundPage } from './not-found-page.tsx'

/** The page of every address that no route has: the names of later areas are not loaded before. */
export function LaterAreaPage() {
  const { area = '' } = useParams({ strict: false })
  const name = laterAreas.get(area)
  if (name === undefined) return <NotFoundPage />
  return (
    <>
      <PageHeader title={name} />
      <State icon={<Hourglass size={20} />} hue="info" title={texts.title(name)} actions={<HomeLink />}>
        {texts.text}
      </State>
    </>
  )
}
