import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ClockSubject } from '../../../../shared/contract/review.ts';
import { createReader, loading, type Loadable } from '../../../ui/index.ts';
import type { Review } from '../model.ts';
import { subjectKey } from './clockChange.ts';
import { readCurves, type SourceCurves } from './curve.ts';

/** A source's curves, read when it is first looked at and anew when the scene is; null subject: none. */
export function useCurves(
  review: Pick<Review, 'host' | 'store'>,
  subject: ClockSubject | null,
): Loadable<SourceCurves> {
  const { host } = review;
  const scene = useStore(review.store, (state) => state.scene);
  const key = subject && subjectKey(subject);
  const [state, setState] = useState<{ key: string | null; curves: Loadable<SourceCurves> }>({
    key: null,
    curves: loading,
  });
  useEffect(() => {
    if (!subject) return;
    let isGone = false;
    const read = createReader<SourceCurves>((curves) => !isGone && setState({ key, curves }));
    void read(() => readCurves({ host }, scene, subject));
    return () => {
      isGone = true;
    };
    // `key` stands for the subject, which is another object each time the scene is read.
    // eslint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [host, scene, key]);
  return state.key === key ? state.curves : loading;
}
