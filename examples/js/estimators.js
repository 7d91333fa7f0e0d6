/* SPDX-License-Identifier: MIT
 *
 * estimators.js - KMeans, MBC and Auto as users of ml.js know such classes
 *
 *     const model = new mtc.KMeans({clusters: 3}).fit(X);
 *     model.labels, model.centers, model.predict(Y)
 *
 * MBC and Auto take one matrix or a list of them; then labels and centers are
 * lists, too, and predict takes the number of a task.
 */
import {isOne} from './data.js';
import {invalid} from './memory.js';

export function estimatorsOf(calls) {
    class Estimator {
        constructor(options = {}) {
            this.options = {...options};
        }
        keep(result, one) {
            this.result = result;
            this.labels = one ? result.labels[0] : result.labels;
            this.centers = one ? result.centers[0] : result.centers;
            return this;
        }
        fitted() {
            return this.result ??
                invalid(`${this.constructor.name} is not fitted yet`);
        }
    }

    class KMeans extends Estimator {
        fit(X) {
            const result = calls.kmeans(X, this.options);
            this.result = result;
            this.labels = result.labels;
            this.centers = result.centers;
            return this;
        }
        predict(X) { return calls.kmeans_assign(X, this.fitted()); }
    }

    class MBC extends Estimator {
        fit(tasks) {
            return this.keep(calls.mbc(tasks, this.options), isOne(tasks));
        }
        predict(X, task = 0) {
            return calls.mbc_assign(X, task, this.fitted());
        }
    }

    /* Without `clusters` mtc_choose finds their number: that of a task by
     * itself where it is clear, else the common one. */
    class Auto extends Estimator {
        fit(tasks) {
            const list = isOne(tasks) ? [tasks] : Array.from(tasks);
            const {seed} = this.options, options = {...this.options};
            if (options.clusters === undefined) {
                this.choice = calls.choose(list, seed === undefined ? {}
                                                                    : {seed});
                options.clusters = this.choice.task.map(own =>
                    own.verdict === 'clear' ? own.k : this.choice.common.best);
            }
            return this.keep(calls.auto(list, options), isOne(tasks));
        }
        predict(X, task = 0) {
            return calls.auto_assign(X, task, this.fitted());
        }
    }
    return {KMeans, MBC, Auto};
}
