import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { uploadContactImport, uploadLeadImport } from '../../api/access.gen.ts'
import { isProblem } from '../../api/problem.ts'
import { PageHeader } from '../../patterns/page-header.tsx'
import { customFieldsQuery } from '../../patterns/shared-queries.ts'
import { NoPermissionPage, NotFoundState, ProblemState, Skeleton } from '../../patterns/states.tsx'
import { may, useMe } from '../../session/me.ts'
import { importTexts as texts } from '../../texts/en/import-texts.ts'
import { importQuery, standardFieldsQuery } from './import-api.ts'
import { listFields } from './model/fields.ts'
import { type RecordType, recordTypes } from './model/types.ts'
import { NewImport } from './new-import.tsx'
import { ImportWizard } from './wizard/import-wizard.tsx'

const route = getRouteApi('/imports/$type/$importId')
const uploads = { leads: uploadLeadImport, contacts: uploadContactImport }

export function ImportPage() {
  const me = useMe()
  const { type: named, importId } = route.useParams()
  const type = recordTypes.find((one) => one === named)
  if (!type) return <NotFoundState />
  if (!may(me, uploads[type])) return <NoPermissionPage area={texts.area} scope={`${type}.write`} />
  return importId === 'new' ? (
    <NewImport key={type} type={type} />
  ) : (
    <StoredImport key={importId} type={type} id={importId} />
  )
}

function StoredImport({ type, id }: { type: RecordType; id: string }) {
  const file = useQuery(importQuery(type, id))
  const standard = useQuery(standardFieldsQuery(type))
  const custom = useQuery(customFieldsQuery(type === 'leads' ? 'lead' : 'contact'))
  const failed = [file, standard, custom].find(({ data, error }) => error && !data)
  if (file.data && standard.data && custom.data)
    return <ImportWizard type={type} file={file.data} fields={listFields(type, standard.data, custom.data)} />
  return (
    <>
      <PageHeader title={texts.title} />
      {!failed && <Skeleton rows={10} />}
      {failed &&
        (isProblem(failed.error, 'not_found') ? (
          <NotFoundState title={texts.goneTitle} text={texts.goneText} />
        ) : (
          <ProblemState error={failed.error} part={texts.part} retry={() => void failed.refetch()} />
        ))}
    </>
  )
}
