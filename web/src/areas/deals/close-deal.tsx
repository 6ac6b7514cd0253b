import { lazyPart } from '../../ui/lazy-part.tsx'

export const CloseDealDialog = lazyPart(() => import('./forms/close-dialogs.tsx'), 'CloseDealDialog')
